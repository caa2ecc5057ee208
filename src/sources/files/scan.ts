// Finds the files of a folder: recursive, in a fixed order, within bounds. Passed over and counted: hidden names,
// node_modules, what a `.gitignore` on the way names, binary formats, lock files of package managers, minified and generated
// files, files over the limit, links that leave the folder.

import { lstatSync, type Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted, VaiError } from '../../domain/errors.ts';
import { inGroups } from '../../domain/few-at-a-time.ts';
import type { FoundFile, Scan, ScanOptions } from '../../ports/source.ts';
import { fileError, isInside, MAX_FILE_BYTES } from './bytes.ts';
import { isBinaryName, isGenerated, isLockFile } from './formats.ts';
import { readGitignore, type IgnoreRules } from './gitignore.ts';
import { globMatcher, type PathMatcher } from './glob.ts';

const MAX_FILES = 200_000;
const MAX_DEPTH = 64;
const MAX_GITIGNORE = 256 * 1024;
const MAX_PATTERNS = 200;
const EXAMPLES = 3;
/** Files whose size is asked for at the same time. */
const TOGETHER = 32;

interface Rules {
  /** Folder of the `.gitignore`, relative to the root; empty for the root. */
  folder: string;
  matcher: IgnoreRules;
}

interface Walk {
  root: string;
  included: PathMatcher;
  excluded: PathMatcher;
  maxBytes: number;
  signal: AbortSignal | undefined;
  files: FoundFile[];
  skip: (reason: string, file: string) => void;
}

export async function scanFolder(folder: string, options: ScanOptions = {}): Promise<Scan> {
  const skipped = new Map<string, { reason: string; count: number; examples: string[] }>();
  const walk: Walk = {
    root: await rootOf(folder),
    included: options.include?.length ? matcherOf(options.include) : () => true,
    excluded: matcherOf(options.exclude ?? []),
    maxBytes: options.maxBytes ?? MAX_FILE_BYTES,
    signal: options.signal,
    files: [],
    skip(reason, file) {
      const entry = skipped.get(reason) ?? { reason, count: 0, examples: [] };
      entry.count += 1;
      if (entry.examples.length < EXAMPLES) entry.examples.push(file);
      skipped.set(reason, entry);
    },
  };
  await walkFolder(walk, '', [], 0);
  return { files: walk.files, skipped: [...skipped.values()].sort((a, b) => (a.reason < b.reason ? -1 : 1)) };
}

async function rootOf(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if (!(await stat(root)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    return root;
  } catch (thrown) {
    throw fileError(folder, thrown);
  }
}

/** A pattern without a slash is about names, wherever they are. */
function matcherOf(patterns: readonly string[]): PathMatcher {
  if (patterns.length > MAX_PATTERNS)
    throw new VaiError('INVALID_INPUT', `More than ${MAX_PATTERNS} patterns were given.`);
  const matchers = patterns.map((pattern) => {
    const tidy = pattern.replace(/^\.\//, '').replace(/\/$/, '/**');
    return globMatcher(tidy.includes('/') ? tidy : `**/${tidy}`);
  });
  return (file) => matchers.some((matches) => matches(file));
}

async function walkFolder(walk: Walk, folder: string, rules: readonly Rules[], depth: number): Promise<void> {
  throwIfAborted(walk.signal);
  let entries: Dirent[];
  try {
    entries = await readdir(path.join(walk.root, folder), { withFileTypes: true });
  } catch (thrown) {
    if (depth === 0) throw fileError(walk.root, thrown);
    walk.skip('unreadable', folder);
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const own = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
    ? await gitignoreOf(walk, folder)
    : undefined;
  const active = own ? [...rules, own] : rules;
  const folders: string[] = [];
  const files: { file: string; link: boolean }[] = [];
  for (const entry of entries) {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const reason = reasonToSkip(walk, entry, file, active);
    if (reason) walk.skip(reason, file);
    else if (entry.isDirectory()) folders.push(file);
    else files.push({ file, link: entry.isSymbolicLink() });
  }
  for (const batch of inGroups(files, TOGETHER)) {
    throwIfAborted(walk.signal);
    const found = await Promise.all(batch.map((entry) => look(walk, entry.file, entry.link)));
    for (const result of found) {
      if ('reason' in result) walk.skip(result.reason, result.path);
      else if (walk.files.length >= MAX_FILES) walk.skip(`beyond the first ${MAX_FILES} files`, result.path);
      else walk.files.push(result);
    }
  }
  for (const next of folders) {
    if (depth + 1 >= MAX_DEPTH) walk.skip('too deep', next);
    else if (walk.files.length >= MAX_FILES) walk.skip(`beyond the first ${MAX_FILES} files`, next);
    else await walkFolder(walk, next, active, depth + 1);
  }
}

function reasonToSkip(walk: Walk, entry: Dirent, file: string, rules: readonly Rules[]): string | undefined {
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.name === 'node_modules') return 'node_modules';
  if (isIgnored(rules, file, entry.isDirectory())) return 'ignored by .gitignore';
  if (
    walk.excluded(file) ||
    (entry.isDirectory() && walk.excluded(`${file}/x`) && walk.excluded(`${file}/x/x`))
  )
    return 'excluded';
  if (entry.isDirectory()) return undefined;
  if (!walk.included(file)) return 'not included';
  if (isBinaryName(entry.name)) return 'not a text format';
  if (isLockFile(entry.name)) return 'lock file';
  if (isGenerated(entry.name)) return 'minified or generated';
  if (!entry.isFile() && !entry.isSymbolicLink()) return 'not a regular file';
  return undefined;
}

/** The innermost `.gitignore` with an opinion decides, as in Git. */
function isIgnored(rules: readonly Rules[], file: string, isFolder: boolean): boolean {
  for (let at = rules.length - 1; at >= 0; at -= 1) {
    const { folder, matcher } = rules[at]!;
    const relative = folder === '' ? file : file.slice(folder.length + 1);
    const ignored = matcher.ignores(relative, isFolder);
    if (ignored !== undefined) return ignored;
  }
  return false;
}

async function gitignoreOf(walk: Walk, folder: string): Promise<Rules | undefined> {
  try {
    const file = path.join(walk.root, folder, '.gitignore');
    if ((await stat(file)).size > MAX_GITIGNORE) return undefined;
    return { folder, matcher: readGitignore(await readFile(file, 'utf8')) };
  } catch {
    return undefined;
  }
}

async function look(
  walk: Walk,
  file: string,
  link: boolean,
): Promise<FoundFile | { reason: string; path: string }> {
  const full = path.join(walk.root, file);
  try {
    if (link && !isInside(walk.root, await realpath(full)))
      return { reason: 'link leaves the folder', path: file };
    // A trip to the thread pool would cost ten times the call.
    const found = link ? await stat(full) : lstatSync(full);
    if (found.isDirectory()) return { reason: 'link to a folder', path: file };
    if (!found.isFile()) return { reason: 'not a regular file', path: file };
    if (found.size > walk.maxBytes) return { reason: 'too large', path: file };
    return { path: file, bytes: found.size, modifiedMs: Math.trunc(found.mtimeMs) };
  } catch {
    return { reason: link ? 'broken link' : 'unreadable', path: file };
  }
}
