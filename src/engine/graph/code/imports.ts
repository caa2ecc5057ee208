// Which file of a collection an import means. Nothing is read but the paths of its files: a name is followed relative to
// the file that imports, else as the end of a path. Where two files fit equally well, neither is taken.

/** What a language leaves out of an import, or stands for a whole folder. */
const ENDINGS = [
  '',
  ...'ts tsx d.ts mts cts js jsx mjs cjs vue svelte py pyi rs rb php lua dart zig java kt scala cs hs ex exs h hpp sh'
    .split(' ')
    .map((ending) => `.${ending}`),
];
const FOLDER_FILES = ['index', '__init__', 'mod', 'init'];
/** A single word may be a file anywhere in these; elsewhere it is usually a package from outside. */
const FLAT = new Set(['c', 'cpp', 'zig', 'dart', 'bash']);
const ROOTS = /^(?:(?:src|lib|source)\/)?[^/]*(?:\/[^/]*)?$/;
const SEPARATORS: Record<string, RegExp> = {
  rust: /::/,
  php: /\\/,
  ...Object.fromEntries(
    ['python', 'java', 'kotlin', 'scala', 'csharp', 'haskell', 'elixir', 'lua', 'swift'].map((name) => [
      name,
      /\./,
    ]),
  ),
};

export interface Import {
  from: string;
  language: string;
  name: string;
}

export type ImportResolver = (one: Import) => string | undefined;

export function importResolver(paths: readonly string[]): ImportResolver {
  const known = new Set(paths);
  const byStem = Map.groupBy(paths, (path) => {
    const bare = withoutEnding(path);
    return bare.slice(bare.lastIndexOf('/') + 1);
  });
  const folders = new Set(paths.map(folderOf));
  return ({ from, language, name }) => {
    if (language === 'go') return goFolder(folders, name);
    const relative = relativeTarget(from, language, name);
    if (relative !== undefined) return fileAt(known, relative);
    return byEnd(byStem, { from, language, name });
  };
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The path without its ending; a folder's own file is the folder. */
export function withoutEnding(path: string): string {
  const slash = path.lastIndexOf('/');
  const dot = path.indexOf('.', slash + 2);
  const bare = dot === -1 ? path : path.slice(0, dot);
  const name = bare.slice(slash + 1);
  return FOLDER_FILES.includes(name) && slash > 0 ? bare.slice(0, slash) : bare;
}

/** Where a relative import leads; undefined where it is not one. */
function relativeTarget(from: string, language: string, name: string): string | undefined {
  if (language === 'python') {
    const dots = /^\.+/.exec(name)?.[0].length ?? 0;
    if (dots === 0) return undefined;
    const up = '../'.repeat(dots - 1);
    return joined(folderOf(from), `./${up}${name.slice(dots).replaceAll('.', '/')}`);
  }
  if (name.startsWith('./') || name.startsWith('../')) return joined(folderOf(from), name);
  return undefined;
}

function joined(folder: string, name: string): string {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function fileAt(known: ReadonlySet<string>, target: string): string | undefined {
  // `./a.js` is written where `./a.ts` is meant.
  const bare = target.replace(/\.[cm]?jsx?$/, '');
  for (const base of bare === target ? [target] : [target, bare]) {
    for (const ending of ENDINGS) if (known.has(base + ending)) return base + ending;
    for (const file of FOLDER_FILES)
      for (const ending of ENDINGS)
        if (known.has(`${base}/${file}${ending}`)) return `${base}/${file}${ending}`;
  }
  return undefined;
}

/** A Go import names a folder below the name of its module. */
function goFolder(folders: ReadonlySet<string>, name: string): string | undefined {
  const parts = name.split('/');
  if (!parts[0]!.includes('.')) return undefined;
  for (let at = 1; at < parts.length; at += 1) {
    const folder = parts.slice(at).join('/');
    if (folders.has(folder)) return folder;
  }
  return folders.has('') && parts.length === 3 ? '' : undefined;
}

function byEnd(byStem: ReadonlyMap<string, string[]>, { from, language, name }: Import): string | undefined {
  const separator = SEPARATORS[language] ?? /\//;
  const all = name
    .split(/[{(\s]/, 1)[0]!
    .split(separator)
    .filter((part) => part !== '' && part !== '*');
  const own = ['crate', 'self', 'super'].includes(all[0] ?? '');
  const parts = all.filter((part) => !['crate', 'self', 'super'].includes(part));
  // `a.b.C` is C in a/b as often as the file a/b/C.
  for (let length = parts.length; length > 0 && length > parts.length - 3; length -= 1) {
    const wanted = parts.slice(0, length).map((part) => part.replace(/\.(?:h|hpp|hh|rb|dart|zig|sh)$/, ''));
    const end = wanted.join('/');
    const found = (byStem.get(wanted.at(-1)!.split('/').at(-1)!) ?? []).filter((path) => {
      const bare = withoutEnding(path);
      if (bare !== end && !bare.endsWith(`/${end}`)) return false;
      const alone = wanted.length === 1 && !end.includes('/');
      return !alone || own || FLAT.has(language) || folderOf(path) === folderOf(from) || ROOTS.test(bare);
    });
    const near = nearest(
      found.filter((path) => path !== from),
      from,
    );
    if (near !== undefined) return near;
  }
  return undefined;
}

/** The file that shares most folders with another; none where two share as many. */
function nearest(paths: readonly string[], from: string): string | undefined {
  const shared = (path: string): number => {
    const [a, b] = [path.split('/'), from.split('/')];
    let count = 0;
    while (count < a.length - 1 && a[count] === b[count]) count += 1;
    return count;
  };
  const ranked = paths.map((path) => ({ path, count: shared(path) })).sort((a, b) => b.count - a.count);
  const [first, second] = ranked;
  return first && first.count !== second?.count ? first.path : undefined;
}
