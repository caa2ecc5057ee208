// Whether one path lies inside another, compared as written. A caller that distrusts links has to resolve them first.

import { isAbsolute, relative, sep } from 'node:path';

export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
