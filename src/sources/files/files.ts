// Files and folders of this machine behind the `Files` port: which there are, and their bytes. Nothing here writes.

import type { Files } from '../../ports/source.ts';
import { readBytes } from './bytes.ts';
import { scanFolder } from './scan.ts';

export function createFiles(): Files {
  return { scan: scanFolder, bytes: readBytes };
}
