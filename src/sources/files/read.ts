// Bytes of a file as text, by the reader of its format.

import type { ReadText } from '../../domain/document.ts';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import { shortName } from './decode.ts';
import { readerFor } from './formats.ts';

export async function readFile(name: string, bytes: Uint8Array): Promise<ReadText> {
  try {
    return await readerFor(name, bytes)(name, bytes);
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.code !== 'INTERNAL') throw error;
    const message = `${shortName(name)} could not be read: something went wrong inside vai.`;
    throw new VaiError('INTERNAL', message, { hint: error.hint, cause: thrown });
  }
}
