// The reader of files and folders behind the `FileReader` port. Nothing here writes.

import { toVaiError, VaiError } from '../../domain/errors.ts';
import type { FileReader } from '../../ports/source.ts';
import { readBytes } from './bytes.ts';
import { shortName } from './decode.ts';
import { readerFor } from './formats.ts';
import { scanFolder } from './scan.ts';

export function createFileReader(): FileReader {
  return {
    scan: scanFolder,
    bytes: readBytes,
    async read(name, bytes) {
      try {
        return await readerFor(name, bytes)(name, bytes);
      } catch (thrown) {
        const error = toVaiError(thrown);
        if (error.code !== 'INTERNAL') throw error;
        const message = `${shortName(name)} could not be read: something went wrong inside vai.`;
        throw new VaiError('INTERNAL', message, { hint: error.hint, cause: thrown });
      }
    },
  };
}
