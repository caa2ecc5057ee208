// Paths as people write and see them: `~` is the home folder, and an absolute path is never shown.

import { existsSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';

/** Expands a leading `~` and makes the path absolute. */
export function absolutePath(path: string, base: string, userHome: string): string {
  if (path === '~') return userHome;
  if (path.startsWith('~/')) return resolve(userHome, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(base, path);
}

/** `~/…` inside the user's home, else the last name only. */
export function shownPath(path: string, userHome: string): string {
  const inside = relative(userHome, path);
  if (inside === '') return '~';
  if (!inside.startsWith('..') && !isAbsolute(inside)) return `~/${inside.split(sep).join('/')}`;
  return basename(path);
}

/** Checked with links followed: a folder may only seem to be inside. */
export function liesInside(folder: string, path: string): boolean {
  return isBelow(folder, path) && (!existsSync(path) || isBelow(realPath(folder), realPath(path)));
}

function isBelow(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

/** With links followed; as written where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
