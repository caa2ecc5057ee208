// The rules of a `.gitignore`, as git reads them: the last rule that fits decides. A folder that is ignored is not
// entered, so a rule need not look at the folders above a path.

import { compileGlob, matchesGlob, type Glob } from './glob.ts';

export interface IgnoreRules {
  /** Undefined where no rule has an opinion. The path is relative to the folder of the file. */
  ignores(path: string, isFolder: boolean): boolean | undefined;
}

interface Rule {
  glob: Glob;
  ignores: boolean;
  foldersOnly: boolean;
}

const MAX_RULES = 5_000;
const MAX_RULE = 500;

export function readGitignore(text: string): IgnoreRules {
  const rules = text
    .split('\n')
    .flatMap((line) => readRule(line) ?? [])
    .slice(0, MAX_RULES);
  return {
    ignores(path, isFolder) {
      const names = path.toLowerCase().split('/');
      for (let at = rules.length - 1; at >= 0; at -= 1) {
        const { glob, ignores, foldersOnly } = rules[at]!;
        if ((isFolder || !foldersOnly) && matchesGlob(glob, names)) return ignores;
      }
      return undefined;
    },
  };
}

/** Case does not count, as on the file systems of macOS and Windows. */
function readRule(line: string): Rule | undefined {
  const text = withoutSpaces(line.endsWith('\r') ? line.slice(0, -1) : line).toLowerCase();
  if (text === '' || text.startsWith('#') || text.length > MAX_RULE) return undefined;
  const ignores = !text.startsWith('!');
  const written = ignores ? text : text.slice(1);
  const foldersOnly = written.endsWith('/') && !written.endsWith('\\/');
  const bare = foldersOnly ? written.slice(0, -1) : written;
  const pattern = bare.startsWith('/') ? bare.slice(1) : bare.includes('/') ? bare : `**/${bare}`;
  if (pattern === '') return undefined;
  // `a/**` is everything inside `a`, not `a` itself.
  return { glob: compileGlob(pattern.endsWith('/**') ? `${pattern}/*` : pattern), ignores, foldersOnly };
}

/** Spaces at the end mean nothing, unless the last of them is escaped. */
function withoutSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}
