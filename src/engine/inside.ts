// Whether a path lies in a folder, as both are written: whoever distrusts links follows them first.

import { isAbsolute, relative, sep } from 'node:path';

export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
