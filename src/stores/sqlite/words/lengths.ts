// How long each chunk is in words, and whether it is still there: two bytes a chunk in windows of consecutive sequence
// numbers, so that deleting a chunk leaves its postings alone. Zero is a chunk that is gone.

import { endianness } from 'node:os';
import type { Connection } from '../connection.ts';
import { createMemory } from '../memory.ts';
import type { Statements } from '../statements.ts';

/** Chunks of a window. */
export const WINDOW = 4096;
/** A longer chunk counts as having so many words. */
export const MOST_WORDS = 65_534;
/** Windows of a collection: sequence numbers have 32 bits. */
const WINDOWS = 2 ** 20;
/** Windows that are remembered: 8 KB each. */
const MAX_KNOWN = 1024;

export interface Lengths {
  /** Lengths of a window plus one. Inside a read. */
  of(collection: number, window: number): Uint16Array;
}

export function createLengths(connection: Connection): Lengths {
  const known = createMemory<number, Uint16Array>(connection, MAX_KNOWN);
  const read = (id: number): Uint16Array => readWindow(connection, id) ?? new Uint16Array(WINDOW);
  return { of: (collection, window) => known.get(collection * WINDOWS + window, read) };
}

/** Takes down the lengths of new chunks; returns how many words count for them together. */
export function setLengths(
  statements: Statements,
  collection: number,
  { chunks, lengths }: { chunks: readonly number[]; lengths: readonly number[] },
): number {
  let words = 0;
  change(statements, collection, chunks, (window, place, at) => {
    window[place] = Math.min(lengths[at]!, MOST_WORDS) + 1;
    words += window[place] - 1;
  });
  return words;
}

/** Forgets chunks; returns how many words they had together. */
export function dropLengths(connection: Connection, collection: number, chunks: readonly number[]): number {
  let words = 0;
  change(connection, collection, chunks, (window, place) => {
    words += Math.max(0, window[place]! - 1);
    window[place] = 0;
  });
  return words;
}

export function dropAllLengths({ sql }: Connection, collection: number): void {
  sql('DELETE FROM word_lengths WHERE id BETWEEN ? AND ?').run(
    collection * WINDOWS,
    (collection + 1) * WINDOWS - 1,
  );
}

function change(
  statements: Statements,
  collection: number,
  chunks: readonly number[],
  edit: (window: Uint16Array, place: number, at: number) => void,
): void {
  let id = -1;
  let window: Uint16Array = new Uint16Array(0);
  const save = (): void => {
    if (id !== -1) writeWindow(statements, id, window);
  };
  for (const [at, chunk] of chunks.entries()) {
    const here = collection * WINDOWS + Math.floor(chunk / WINDOW);
    if (here !== id) {
      save();
      id = here;
      window = readWindow(statements, id) ?? new Uint16Array(WINDOW);
    }
    edit(window, chunk % WINDOW, at);
  }
  save();
}

function readWindow({ row }: Statements, id: number): Uint16Array | undefined {
  const found = row<[data: Uint8Array]>('SELECT data FROM word_lengths WHERE id = ?', id);
  return found && new Uint16Array(littleEndian(found[0].slice()).buffer);
}

function writeWindow({ sql }: Statements, id: number, window: Uint16Array): void {
  if (window.every((length) => length === 0)) sql('DELETE FROM word_lengths WHERE id = ?').run(id);
  else {
    const data = littleEndian(new Uint8Array(window.slice().buffer));
    sql('INSERT OR REPLACE INTO word_lengths (id, data) VALUES (?, ?)').run(id, data);
  }
}

/** From the order of bytes of this machine to that of the file, and back. */
function littleEndian(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (endianness() === 'BE') Buffer.from(bytes.buffer).swap16();
  return bytes;
}
