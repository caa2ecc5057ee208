// What one reader is: bytes of a format in, a text with exact lines out. The table in formats.ts chooses one by name.

import type { ReadText } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import { decodeText, shortName } from './decode.ts';

/** May be asynchronous because some formats load their library when first used. */
export type Reader = (name: string, bytes: Uint8Array) => ReadText | Promise<ReadText>;

/** `title`, `notices` and the like only where there is something to say. */
export function readText(read: ReadText): ReadText {
  const { notices, headings, metadata, title, ...rest } = read;
  return {
    ...rest,
    ...(title ? { title } : {}),
    ...(metadata && Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(headings?.length ? { headings } : {}),
    ...(notices?.length ? { notices } : {}),
  };
}

/** A text kept as written whose headings are marked in a way of its own; one of the first level names it. */
export function headingReader(headingsOf: (text: string) => NonNullable<ReadText['headings']>): Reader {
  return (name, bytes) => {
    const { text, notices } = decodeText(name, bytes);
    const headings = headingsOf(text);
    const title = headings[0]?.level === 1 ? headings[0].text : undefined;
    return readText({ text, syntax: 'plain', title, headings, notices });
  };
}

/**
 * A library that gives up on a file says that the file is damaged. Only the library's own call stands in here: what
 * fails in our code is ours, and is never blamed on the file.
 */
export async function orDamaged<T>(name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    const message = `${shortName(name)} could not be read: it seems to be damaged.`;
    throw new VaiError('FILE_UNREADABLE', message, { cause: thrown });
  }
}
