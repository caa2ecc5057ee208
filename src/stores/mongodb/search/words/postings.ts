// The words of a document as stored in the database. Some neighbouring chunks at a time, their words are spread over
// small entries: each holds a list of words, which the multikey index holds too, and under each word where it stands. A
// search reads the entries that have one of its words, and of each no other word.
//
// Small on purpose: what is larger than about 2 KB, PostgreSQL (under DocumentDB) keeps elsewhere and packed, and reading
// it costs six times as much.

import { Binary } from 'mongodb';
import { termsIn } from '../../../../domain/words/tokens.ts';
import type { PostingsDocument } from '../../layout.ts';

/** In the order of their numbers: title, heading path, text, extra words. */
export type Fields = readonly [title: string, heading: string, text: string, extra: string];

export interface WordsOfChunk {
  /** `_id` of the chunk: 32 hexadecimal digits. */
  id: string;
  fields: Fields;
}

export interface Owner {
  collection: string;
  doc: string;
  source: string;
  staged: boolean;
}

/** Chunks of one document that share entries: enough that a common word is read once for many. */
const CHUNKS_TOGETHER = 64;
/** Bytes of the words in one entry; with what stands beside them it stays below 2 KB. */
const ENTRY_BYTES = 1500;
/** What a word costs in an entry beside its letters, which stand there twice. */
const WORD_BYTES = 17;
const ID_DIGITS = 32;
/** A place is a position in a field, told apart by this. */
const FIELD_SPAN = 2 ** 20;

export function toPostings(
  owner: Owner,
  chunks: readonly WordsOfChunk[],
): { rows: PostingsDocument[]; words: number } {
  const { collection, doc, source } = owner;
  const staged = owner.staged ? { staged: true as const } : {};
  const rows: PostingsDocument[] = [];
  let words = 0;
  for (let first = 0; first < chunks.length; first += CHUNKS_TOGETHER) {
    const part = chunks.slice(first, first + CHUNKS_TOGETHER);
    const terms = new Map<string, number[]>();
    part.forEach(({ fields }, at) => (words += addChunk(terms, fields, at)));
    const ids = new Binary(Buffer.from(part.map(({ id }) => id).join(''), 'hex'));
    const place = { collection, doc, source, first, ...staged };
    rows.push({ _id: headOf(doc, first), ...place, ids });
    for (const [at, entry] of entriesOf(terms).entries())
      rows.push({
        _id: `${headOf(doc, first)}:${at}`,
        ...place,
        tokens: entry.map(([term]) => term),
        terms: new Map(entry),
      });
  }
  return { rows, words };
}

/** The `_id` of the entry that holds the ids of the chunks. */
export function headOf(doc: string, first: number): string {
  return `${doc}:${first}`;
}

export function idIn(ids: Binary, chunk: number): string {
  return ids.toString('hex').slice(chunk * ID_DIGITS, (chunk + 1) * ID_DIGITS);
}

function entriesOf(terms: ReadonlyMap<string, readonly number[]>): [term: string, places: Binary][][] {
  const entries: [string, Binary][][] = [];
  let room = 0;
  for (const [term, numbers] of terms) {
    const bytes = packed(numbers);
    const size = 2 * Buffer.byteLength(term) + WORD_BYTES + bytes.length;
    if (size > room) {
      entries.push([]);
      room = ENTRY_BYTES;
    }
    entries.at(-1)!.push([term, new Binary(bytes)]);
    room -= size;
  }
  return entries;
}

/**
 * Under each word: the chunk, how many words the chunk has, in how many fields the word stands, and for each of them its
 * number, how often, and the distances from place to place. Returns how many words the chunk has.
 */
function addChunk(terms: Map<string, number[]>, fields: Fields, chunk: number): number {
  const found = fields.map((text) => termsIn(text));
  const length = found.reduce((sum, list) => sum + list.length, 0);
  const places = new Map<string, [field: number, positions: number[]][]>();
  found.forEach((list, field) =>
    list.forEach((term, position) => {
      let known = places.get(term);
      if (!known) places.set(term, (known = []));
      const last = known.at(-1);
      if (last?.[0] === field) last[1].push(position);
      else known.push([field, [position]]);
    }),
  );
  for (const [term, byField] of places) {
    let numbers = terms.get(term);
    if (!numbers) terms.set(term, (numbers = []));
    numbers.push(chunk, length, byField.length);
    for (const [field, positions] of byField) {
      numbers.push(field, positions.length);
      for (let at = 0; at < positions.length; at += 1)
        numbers.push(positions[at]! - (positions[at - 1] ?? 0));
    }
  }
  return length;
}

/** Numbers as bytes, seven bits in each. */
function packed(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (let number of numbers) {
    while (number > 127) {
      bytes.push((number & 127) | 128);
      number >>>= 7;
    }
    bytes.push(number);
  }
  return Uint8Array.from(bytes);
}

/** Where a word stands in one chunk. */
export interface Posting {
  chunk: number;
  /** Words of the chunk. */
  length: number;
  /** In rising order; `fieldOf` says in which field one is, and the next word stands at the next number. */
  places: number[];
}

export function fieldOf(place: number): number {
  return Math.floor(place / FIELD_SPAN);
}

/** In the order of the chunks. */
export function readPostings(binary: Binary): Posting[] {
  const bytes = binary.buffer;
  const end = binary.position;
  let at = 0;
  const next = (): number => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  };
  const postings: Posting[] = [];
  while (at < end) {
    const posting: Posting = { chunk: next(), length: next(), places: [] };
    for (let fields = next(); fields > 0; fields -= 1) {
      let place = next() * FIELD_SPAN;
      for (let count = next(); count > 0; count -= 1) posting.places.push((place += next()));
    }
    postings.push(posting);
  }
  return postings;
}
