// Reads one file of this machine within bounds. A link that leaves the folder, a device, a pipe or a folder is refused
// before a byte is read; the size is checked again while reading, because a file may grow.

import { closeSync, constants, fstatSync, openSync, read, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { VaiError } from '../../domain/errors.ts';
import { shortName } from './decode.ts';

export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Up to this size a file is read by synchronous calls: trips to the thread pool would cost more than the reading. */
const SMALL = 256 * 1024;

export async function readBytes(
  file: string,
  { root, maxBytes = MAX_FILE_BYTES }: { root?: string; maxBytes?: number } = {},
): Promise<Uint8Array> {
  let handle: number | undefined;
  try {
    const real = realpathSync.native(file);
    // A real path that begins with the folder's as given is in it: then the folder's is real as well.
    if (root !== undefined && !real.startsWith(root + path.sep) && !isInside(realpathSync.native(root), real))
      throw new VaiError('FILE_UNREADABLE', `${shortName(file)} is a link that leaves the folder.`);
    // Without O_NONBLOCK opening a pipe would wait for a writer.
    handle = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new VaiError('FILE_UNREADABLE', `${shortName(file)} is not a regular file.`);
    if (stat.size > maxBytes) throw tooLarge(file, maxBytes);
    return await readAll(handle, file, { size: stat.size, maxBytes });
  } catch (thrown) {
    throw fileError(file, thrown);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

const readLater = promisify(read);

async function readAll(
  handle: number,
  file: string,
  { size, maxBytes }: { size: number; maxBytes: number },
): Promise<Uint8Array> {
  // One byte more than expected tells a file that grew, or one of /proc that claims to be empty.
  let buffer = Buffer.allocUnsafeSlow(Math.min(size, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const room = buffer.length - length;
    const bytesRead =
      size <= SMALL
        ? readSync(handle, buffer, length, room, length)
        : (await readLater(handle, buffer, length, room, length)).bytesRead;
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(file, maxBytes);
    if (length === buffer.length)
      buffer = Buffer.concat([buffer], Math.min(Math.max(length * 2, 4096), maxBytes + 1));
  }
}

export function isInside(root: string, target: string): boolean {
  const relative = path.relative(root, target);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function tooLarge(file: string, maxBytes: number): VaiError {
  const most = maxBytes >= 1_000_000 ? `${Math.floor(maxBytes / 1_000_000)} MB` : `${maxBytes} bytes`;
  return new VaiError('TOO_LARGE', `${shortName(file)} is larger than ${most}.`);
}

/** What the system says, in words and without the path. */
export function fileError(file: string, thrown: unknown): VaiError {
  if (thrown instanceof VaiError) return thrown;
  const code = (thrown as NodeJS.ErrnoException | null)?.code;
  const name = shortName(file);
  const reasons: Record<string, string> = {
    ENOENT: `${name} does not exist.`,
    EACCES: `${name} may not be read by this user.`,
    EPERM: `${name} may not be read by this user.`,
    ELOOP: `${name} is a link to itself.`,
    ENOTDIR: `${name} is not a folder.`,
    EISDIR: `${name} is a folder.`,
    ENXIO: `${name} is not a regular file.`,
  };
  return new VaiError('FILE_UNREADABLE', reasons[code ?? ''] ?? `${name} could not be read.`, {
    cause: thrown,
  });
}
