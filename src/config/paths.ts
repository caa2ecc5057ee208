// Paths as people write and see them: `~` is the home folder, and an absolute path is never shown.

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
