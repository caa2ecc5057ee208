// Which chunks have a term, how often in each field, and where. A posting is the distance to the chunk before it and a
// byte of counts; the commonest, once in the body, needs no byte. Positions stand apart: only phrases read them.

import { MOST_IN_FIELD } from '../../../domain/words/bm25.ts';
import { BODY, EXTRA, FIELDS, HEADING, TITLE } from '../../../domain/words/plan.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/** A place is a field and a position in it, which has so many bits. */
export const FIELD_BITS = 26;
const POSITION = (1 << FIELD_BITS) - 1;

/** Counts of a field are told apart up to here, in two bits; of the body beyond it, too. */
const MOST = MOST_IN_FIELD;
const ONCE_IN_BODY = 1;
const NO_BYTES = new Uint8Array(0);

/** Puts together the lists of one term after the other; chunks come in rising order. */
export class PostingWriter {
  readonly postings = new ByteWriter();
  readonly positions = new ByteWriter();
  chunks = 0;
  first = 0;
  last = 0;
  private readonly counts = new Uint32Array(FIELDS);
  private readonly one = new ByteWriter();

  clear(): void {
    this.postings.clear();
    this.positions.clear();
    this.chunks = 0;
  }

  /** `places[from..to]` of a chunk, rising. */
  add(chunk: number, places: Uint32Array, from: number, to: number): void {
    if (to - from === 1 && places[from]! >>> FIELD_BITS === BODY) {
      // Most words stand once in a text.
      const position = (places[from]! & POSITION) * 2;
      this.begin(chunk, ONCE_IN_BODY);
      this.positions.number(position < 128 ? 1 : position < 16_384 ? 2 : position < 2_097_152 ? 3 : 4);
      this.positions.number(position);
      return;
    }
    this.counts.fill(0);
    this.one.clear();
    let field = BODY;
    let before = 0;
    for (let at = from; at < to; at += 1) {
      const here = places[at]! >>> FIELD_BITS;
      const position = places[at]! & POSITION;
      if (here === field) this.one.number((position - before) * 2);
      else {
        this.one.number(here * 2 + 1);
        this.one.number(position);
        field = here;
      }
      before = position;
      this.counts[here]! += 1;
    }
    this.begin(chunk, byteOf(this.counts));
    if (this.counts[BODY]! >= MOST) this.postings.number(this.counts[BODY]! - MOST);
    this.positions.number(this.one.length);
    this.positions.copy(this.one.bytes, 0, this.one.length);
  }

  /** All of another list, whose chunks come after those that are here. */
  append(list: {
    chunks: number;
    first: number;
    last: number;
    postings: Uint8Array;
    positions: Uint8Array;
  }): void {
    const reader = new ByteReader(list.postings);
    const head = reader.number();
    const distance = this.chunks === 0 ? 0 : list.first - this.last;
    if (this.chunks === 0) this.first = list.first;
    this.postings.number(distance * 2 + (head & 1));
    this.postings.copy(list.postings, reader.at);
    this.positions.copy(list.positions);
    this.chunks += list.chunks;
    this.last = list.last;
  }

  /** One posting of another list: its byte of counts with what follows it, and its positions. */
  take(chunk: number, { counts, positions }: { counts: Uint8Array; positions: Uint8Array }): void {
    this.begin(chunk, counts.length === 0 ? ONCE_IN_BODY : counts[0]!);
    this.postings.copy(counts, Math.min(1, counts.length));
    this.positions.number(positions.length);
    this.positions.copy(positions);
  }

  private begin(chunk: number, byte: number): void {
    if (this.chunks === 0) this.first = this.last = chunk;
    this.postings.number((chunk - this.last) * 2 + (byte === ONCE_IN_BODY ? 1 : 0));
    if (byte !== ONCE_IN_BODY) this.postings.byte(byte);
    this.chunks += 1;
    this.last = chunk;
  }
}

function byteOf(counts: Uint32Array): number {
  const of = (field: number): number => Math.min(counts[field]!, MOST);
  return of(BODY) | (of(TITLE) << 2) | (of(HEADING) << 4) | (of(EXTRA) << 6);
}

const tables = new Map<string, Float64Array>();

/** How much each byte of counts weighs, by the weights of the fields; there are few sets of those. */
export function weightsOfBytes(weights: readonly number[]): Float64Array {
  const key = weights.join();
  let table = tables.get(key);
  if (!table) tables.set(key, (table = makeTable(weights)));
  return table;
}

function makeTable(weights: readonly number[]): Float64Array {
  return Float64Array.from({ length: 256 }, (_, byte) => {
    const count = (shift: number): number => (byte >> shift) & MOST;
    return (
      count(0) * weights[BODY]! +
      count(2) * weights[TITLE]! +
      count(4) * weights[HEADING]! +
      count(6) * weights[EXTRA]!
    );
  });
}

export const AT_END = 2 ** 32;

/** Reads a list of postings from its first to its last chunk. */
export class PostingReader {
  /** The chunk it stands at. */
  chunk: number;
  private readonly bytes: Uint8Array;
  private at = 0;
  private once = false;

  constructor(postings: Uint8Array, first: number) {
    this.bytes = postings;
    this.chunk = first;
    this.head();
  }

  /** Distance to the next chunk; the counts of that one are still to be read. */
  private head(): void {
    if (this.at >= this.bytes.length) {
      this.chunk = AT_END;
      return;
    }
    let byte = this.bytes[this.at++]!;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = this.bytes[this.at++]!;
      value |= (byte & 127) << shift;
    }
    this.once = (value & 1) === 1;
    this.chunk += value >>> 1;
  }

  /**
   * Takes the chunks before `end` and how often each has the term, weighed by the table of bytes; returns how many. What
   * weighs nothing is left out.
   */
  fill(
    end: number,
    { table, body }: { table: Float64Array; body: number },
    { chunks, counts }: { chunks: Uint32Array; counts: Float64Array },
  ): number {
    const { bytes } = this;
    const once = table[ONCE_IN_BODY]!;
    let found = 0;
    while (this.chunk < end) {
      let weight = once;
      if (!this.once) {
        const byte = bytes[this.at++]!;
        weight = table[byte]!;
        if ((byte & MOST) === MOST) {
          let more = bytes[this.at++]!;
          let value = more & 127;
          for (let shift = 7; more >= 128; shift += 7) {
            more = bytes[this.at++]!;
            value |= (more & 127) << shift;
          }
          weight += value * body;
        }
      }
      if (weight > 0) {
        chunks[found] = this.chunk;
        counts[found] = weight;
        found += 1;
      }
      this.head();
    }
    return found;
  }

  /** Passes over the counts of the chunk it stands at, on to the next chunk. */
  skip(): void {
    if (!this.once && (this.bytes[this.at++]! & MOST) === MOST) while (this.bytes[this.at++]! >= 128);
    this.head();
  }

  /** The counts of the chunk it stands at, as they are written, and on to the next chunk. */
  take(): Uint8Array {
    const from = this.at;
    const { once } = this;
    this.skip();
    return once ? NO_BYTES : this.bytes.subarray(from, this.ended(from));
  }

  /** Where the counts that begin at a byte end. */
  private ended(from: number): number {
    let at = from + 1;
    if ((this.bytes[from]! & MOST) === MOST) while (this.bytes[at++]! >= 128);
    return at;
  }
}

/** Reads the positions of one posting after the other. */
export class PositionReader {
  private readonly reader: ByteReader;

  constructor(positions: Uint8Array) {
    this.reader = new ByteReader(positions);
  }

  skip(): void {
    const size = this.reader.number();
    this.reader.at += size;
  }

  /** The bytes of the next posting. */
  take(): Uint8Array {
    const { reader } = this;
    const size = reader.number();
    reader.at += size;
    return reader.bytes.subarray(reader.at - size, reader.at);
  }

  /** The places of the next posting, rising. */
  places(): number[] {
    const { reader } = this;
    const places: number[] = [];
    const size = reader.number();
    const end = reader.at + size;
    let field = BODY;
    let position = 0;
    while (reader.at < end) {
      const value = reader.number();
      if (value % 2 === 0) position += value / 2;
      else {
        field = (value - 1) / 2;
        position = reader.number();
      }
      places.push((field << FIELD_BITS) | position);
    }
    return places;
  }
}
