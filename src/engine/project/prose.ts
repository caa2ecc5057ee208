// Where a project's own texts are: its folders of documentation, whatever else holds much of its prose, and the files that
// introduce it. Source code is left out and named, so that somebody may add it.

import { isCode } from '../../domain/symbols.ts';
import { isStrayFolder } from '../../domain/stray-folder.ts';
import type { FoundFile } from '../../ports/source.ts';

export interface ProposedFolder {
  path: string;
  /** Files of it that can be read. */
  files: number;
}

export interface OwnTexts {
  /** Most prose first, then files. */
  folders: ProposedFolder[];
  /** Folders of source code, the largest first. */
  code: ProposedFolder[];
}

const NAMED = /^(?:docs?|documentation|guides?|handbook|manual|content|topics|wiki|adr|rfcs|notes)$/i;
/** Names that code has too: documentation where most of it is prose (`book`, `lang-guide`). */
const MAYBE_NAMED =
  /^(?:(?:[a-z\d]+[-_])*(?:docs?|documentation|guides?|handbook|books?|manual)|cookbook|tutorials?)$/i;
/** `de`, `pt-BR`: a translation, where it repeats the folders beside it. */
const LANGUAGE = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i;
const FILE = /^(?:readme|contributing|architecture|changelog|changes)\.(?:md|rst|adoc|txt)$/i;
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt)$/i;
/** A plain text longer than this is data: a list of words, a table of Unicode. */
const MAX_PLAIN_TEXT = 100_000;

/** Of the prose in folders: a folder with more is proposed whatever it is called, one of documentation far down from this on. */
const MUCH = 0.2;
const SOME = 0.02;
/** A folder that holds this much of another one is what is meant. */
const NEARLY_ALL = 0.9;
const MAX_DEPTH = 4;
const MAX_FOLDERS = 12;
const SHOWN_CODE = 3;

interface Folder {
  path: string;
  name: string;
  files: number;
  code: number;
  prose: number;
  /** Of its prose, with all below it. */
  bytes: number;
  inner: Map<string, Folder>;
}

/** A folder without a manifest is no project: where it is full of texts, they are all meant. */
export function ownTexts(files: readonly FoundFile[], isProject: boolean): OwnTexts {
  const root = treeOf(files);
  const inner = [...root.inner.values()];
  const tops = inner.filter((top) => !isTranslation(top, root));
  const all = bytesOf(tops);
  const chosen = tops
    .flatMap((top) => choose(top, all, 1))
    .toSorted(byBytes)
    .slice(0, MAX_FOLDERS);
  const isCovered = bytesOf(chosen) * 2 >= root.bytes - bytesOf(inner) + all;
  if (isProse(root) && !(isProject && isCovered))
    return { folders: [{ path: '.', files: root.files }], code: [] };
  const introductions = files.filter(({ path }) => FILE.test(path)).map(({ path }) => ({ path, files: 1 }));
  const code = tops.flatMap((top) => codeBeside(chosen, top)).toSorted((a, b) => b.code - a.code);
  return {
    folders: [...chosen.map(({ path, files: count }) => ({ path, files: count })), ...introductions],
    code: code.slice(0, SHOWN_CODE).map(({ path, code: count }) => ({ path, files: count })),
  };
}

function choose(folder: Folder, all: number, depth: number): Folder[] {
  if (folder.files === 0) return [];
  if (isNamed(folder) && folder.bytes >= (depth === 1 ? 0 : SOME * all)) return [folder];
  const inner = [...folder.inner.values()];
  const isInside = inner.some(({ bytes }) => bytes >= NEARLY_ALL * folder.bytes);
  if (folder.bytes >= MUCH * all && isProse(folder) && !isInside) return [folder];
  return depth < MAX_DEPTH ? inner.flatMap((next) => choose(next, all, depth + 1)) : [];
}

/** Code in a folder, without the folders of it that were chosen. */
function codeBeside(chosen: readonly Folder[], folder: Folder): Folder[] {
  if (folder.code === 0 || chosen.includes(folder)) return [];
  const holdsChosen = chosen.some(({ path }) => path.startsWith(`${folder.path}/`));
  return holdsChosen ? [...folder.inner.values()].flatMap((next) => codeBeside(chosen, next)) : [folder];
}

function isNamed(folder: Folder): boolean {
  return NAMED.test(folder.name) || (MAYBE_NAMED.test(folder.name) && isProse(folder));
}

function isTranslation({ name, inner }: Folder, beside: Folder): boolean {
  return LANGUAGE.test(name) && [...inner.keys()].some((part) => beside.inner.has(part));
}

function isProse({ prose, files }: Folder): boolean {
  return prose > 0 && prose * 2 >= files;
}

function bytesOf(folders: readonly Folder[]): number {
  return folders.reduce((sum, { bytes }) => sum + bytes, 0);
}

function byBytes(a: Folder, b: Folder): number {
  return b.bytes - a.bytes || (a.path < b.path ? -1 : 1);
}

function treeOf(files: readonly FoundFile[]): Folder {
  const make = (path: string, name: string): Folder => ({
    ...{ path, name, files: 0, code: 0, prose: 0, bytes: 0 },
    inner: new Map(),
  });
  const root = make('.', '');
  for (const { path, bytes } of files) {
    const names = path.split('/').slice(0, -1);
    const named = names.findIndex((name) => NAMED.test(name));
    // In a documentation a folder `testing` or `examples` is a part of it.
    if (names.slice(0, named === -1 ? names.length : named).some(isStrayFolder)) continue;
    const isText = PROSE.test(path);
    const isData = bytes > MAX_PLAIN_TEXT && path.endsWith('.txt');
    let at = root;
    for (let depth = 0; ; depth += 1) {
      at.files += 1;
      if (isCode(path)) at.code += 1;
      if (isText) at.prose += 1;
      if (isText && !isData) at.bytes += bytes;
      const name = names[depth];
      if (name === undefined || depth >= MAX_DEPTH) break;
      let next = at.inner.get(name);
      if (!next) at.inner.set(name, (next = make(names.slice(0, depth + 1).join('/'), name)));
      at = next;
    }
  }
  return root;
}
