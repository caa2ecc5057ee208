// Why a file or folder that a caller may read was not read: it is not there, or it is not to be opened.

import { VaiError } from '../domain/errors.ts';

/** `advice` is added for who may have meant something else than a path. */
export function unreadable(shown: string, cause: unknown, advice = ''): VaiError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const missing = ['ENOENT', 'ENOTDIR'].includes(code);
  const hint = `Check ${missing ? 'the path' : 'its permissions'}${advice}.`;
  return new VaiError('FILE_UNREADABLE', `\`${shown}\` ${missing ? 'does not exist' : 'cannot be read'}.`, {
    hint,
    cause,
  });
}
