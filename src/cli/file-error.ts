// Explains a failure to read or write a file in words. The person who runs a command may see its path.

import { VaiError } from '../domain/errors.ts';

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied for this user',
  EPERM: 'permission denied for this user',
  EROFS: 'nothing can be written there',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
};

/** Undefined where something else was thrown. */
export function fileError(thrown: unknown): VaiError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code = '', path } = thrown as NodeJS.ErrnoException;
  const reason = REASONS[code];
  if (reason === undefined || path === undefined) return undefined;
  return new VaiError('INVALID_INPUT', `${path}: ${reason}.`, { cause: thrown });
}
