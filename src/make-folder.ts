// Makes a folder and those above it. Node's own recursive mkdir never ends where a folder is there but takes no others,
// as below /proc.

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Throws Node's error where it cannot be made. */
export function makeFolder(path: string, mode?: number): void {
  if (make(path, mode)) return;
  makeFolder(dirname(path), mode);
  if (make(path, mode)) return;
  // What is above is there and takes nothing, as if it could only be read.
  throw Object.assign(new Error(`nothing can be made in ${dirname(path)}`), { code: 'EROFS', path });
}

/** False where the one above is missing; fine where the folder is there already. */
function make(path: string, mode?: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return true;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return false;
  }
}
