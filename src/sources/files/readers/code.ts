// Source code, kept as written. What stands at the left margin and names a function, class or type is a heading, so
// that a hit can say where it is; the comment above it belongs to it. No parser: a wrong guess costs a label, no text.

import { decodeText } from '../decode.ts';
import { readText, type Reader } from '../reader.ts';

export const CODE_EXTENSIONS =
  'js mjs cjs jsx ts mts cts tsx vue svelte py pyi rb go rs java kt kts scala groovy c h cc cpp cxx hpp hh m mm cs fs fsx ' +
  'vb swift php pl pm lua r jl dart ex exs erl hrl hs ml mli clj cljs lisp el scm sh bash zsh fish ps1 bat cmd sql graphql ' +
  'gql proto tf hcl nix zig nim v sol cmake make mk dockerfile gradle css scss sass less astro';

const NAME = '([\\p{L}_$][\\p{L}\\p{N}_$]*)';
const JS = [`^(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?(?:function\\*?|class|interface|enum)\\s+${NAME}`, `^export\\s+(?:const|let|type)\\s+${NAME}`]; // prettier-ignore
const PYTHON = [`^(?:async\\s+)?(?:def|class)\\s+${NAME}`];
const GO = [`^func\\s*(?:\\([^()]{0,100}\\)\\s*)?${NAME}`, `^type\\s+${NAME}`];
const RUST = [`^(?:pub(?:\\([^()]{0,40}\\))?\\s+)?(?:async\\s+|unsafe\\s+|const\\s+)*(?:fn|struct|enum|trait|mod|union)\\s+${NAME}`, `^impl(?:<[^>]{0,100}>)?\\s+(?:[^{]{1,100}\\s+for\\s+)?${NAME}`]; // prettier-ignore
const RUBY = [`^(?:class|module|def)\\s+(?:self\\.)?${NAME}`];
const JAVA = [`^(?:(?:public|private|protected|internal|abstract|final|sealed|static|open|data|partial)\\s+)*(?:class|interface|enum|record|object|struct|fun|func|protocol|extension|trait|function)\\s+${NAME}`]; // prettier-ignore
const SHELL = [`^(?:function\\s+)?${NAME}\\s*\\(\\)`];

const PATTERNS = new Map<string, RegExp[]>(
  (
    [
      ['js mjs cjs jsx ts mts cts tsx', JS],
      ['py pyi', PYTHON],
      ['go', GO],
      ['rs', RUST],
      ['rb', RUBY],
      ['java kt kts scala groovy cs swift php dart', JAVA],
      ['sh bash zsh', SHELL],
    ] as const
  ).flatMap(([names, patterns]) =>
    names.split(' ').map((name) => [name, patterns.map((pattern) => new RegExp(pattern, 'u'))]),
  ),
);

const COMMENT = /^(?:\/\/|\/\*| \*|\*\/|#|@|\[)/;
const MAX_LINE = 400;
const MAX_COMMENT_LINES = 60;

export const readCode: Reader = (name, bytes) => {
  const { text, notices } = decodeText(name, bytes);
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return readText({ text, syntax: 'code', headings: codeHeadings(text, extension), notices });
};

export function codeHeadings(
  text: string,
  extension: string,
): { level: number; text: string; line: number }[] {
  const patterns = PATTERNS.get(extension);
  if (!patterns) return [];
  const lines = text.split(/\r?\n/);
  const headings: { level: number; text: string; line: number }[] = [];
  let last = -1;
  for (const [at, line] of lines.entries()) {
    if (line.length < 4 || line.charCodeAt(0) <= 32 || line.charCodeAt(0) === 47 || line.length > MAX_LINE)
      continue;
    const name = nameOf(line, patterns);
    if (name === undefined) continue;
    let start = at;
    while (start - 1 > last && at - start < MAX_COMMENT_LINES && COMMENT.test(lines[start - 1]!)) start -= 1;
    headings.push({ level: 1, text: name, line: start + 1 });
    last = at;
  }
  return headings;
}

function nameOf(line: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
