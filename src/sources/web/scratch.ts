// A folder of our own for the documents of one fetch, away from everything else, and the rules for what is written there.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Folders and names longer than this are passed over: no file system takes them, no reader wants them. */
const MAX_DEPTH = 32;
const MAX_NAME = 200;

export interface Scratch {
  readonly folder: string;
  /** False where a file and a folder have the same name. */
  write(path: string, bytes: Uint8Array | string): Promise<boolean>;
  /** Discards what was written and starts again. */
  clear(): Promise<void>;
  remove(): Promise<void>;
}

export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'vai-fetch-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  return {
    folder,
    remove,
    async clear() {
      await remove();
      await mkdir(folder, { mode: 0o700 });
    },
    async write(path, bytes) {
      const file = join(folder, ...path.split('/'));
      try {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, bytes, { mode: 0o600 });
        return true;
      } catch (thrown) {
        const { code } = thrown as NodeJS.ErrnoException;
        if (code === 'EEXIST' || code === 'EISDIR' || code === 'ENOTDIR') return false;
        throw thrown;
      }
    },
  };
}

/** A relative path of plain names, or nothing where it could lead elsewhere. */
export function safePath(path: string): string | undefined {
  const names = path.split('/');
  const plain = names.every(
    (name) =>
      name !== '' &&
      name !== '.' &&
      name !== '..' &&
      Buffer.byteLength(name) <= MAX_NAME &&
      // eslint-disable-next-line no-control-regex
      !/[\\\u0000-\u001f\u007f]|^[A-Za-z]:/.test(name),
  );
  return plain && names.length <= MAX_DEPTH ? path : undefined;
}
