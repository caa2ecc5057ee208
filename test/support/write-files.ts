// Files for tests, with the folders they lie in.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file below a folder and says where it is; what is neither text nor bytes becomes JSON. */
export function writerIn(folder: string): (path: string, content: string | object) => string {
  return (path, content) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const isPlain = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(file, isPlain ? content : JSON.stringify(content));
    return file;
  };
}
