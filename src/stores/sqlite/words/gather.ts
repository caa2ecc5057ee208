// The words of the chunks that one transaction writes to a collection, gathered in memory and then sorted by term.

import { compareText } from '../../../domain/text.ts';
import { FIELD_BITS, PostingWriter } from './postings.ts';
import type { SegmentWriter } from './segments.ts';
import { MAX_TERMS, Vocabulary } from './vocabulary.ts';

/** The fields of a chunk in the order of their numbers: title, heading path, body, extra words. */
export type Fields = readonly [title: string, heading: string, body: string, extra: string];

/** Words gathered before they are written, though the transaction goes on. */
const MAX_GATHERED = 4_000_000;

/** Shared by all that is gathered, until it has grown too large. */
let shared: Vocabulary | undefined;

/** What one gathering needs for a while and the next may use again. */
class Room {
  /** By the number of a term: its index among those that were met, plus one. */
  readonly indexes = new Uint32Array(MAX_TERMS);
  /** One for each word of the texts: the index of its term, its place, and the index of its chunk. */
  term = new Uint32Array(1 << 16);
  place = new Uint32Array(1 << 16);
  chunk = new Uint32Array(1 << 16);
  /** The last two, sorted by term. */
  places = new Uint32Array(1 << 16);
  chunks = new Uint32Array(1 << 16);

  grow(): void {
    const larger = (array: Uint32Array): Uint32Array<ArrayBuffer> => {
      const made = new Uint32Array(array.length * 2);
      made.set(array);
      return made;
    };
    this.term = larger(this.term);
    this.place = larger(this.place);
    this.chunk = larger(this.chunk);
    this.places = new Uint32Array(this.term.length);
    this.chunks = new Uint32Array(this.term.length);
  }
}

/** Larger rooms are not kept: a long document is rare. */
const MAX_KEPT = 1 << 19;
let spare: Room | undefined;

export class Gathered {
  /** Sequence numbers and lengths in words of the chunks, in rising order. */
  readonly chunks: number[] = [];
  readonly lengths: number[] = [];
  private readonly vocabulary = (shared = !shared || shared.full ? new Vocabulary() : shared);
  /** The terms that were met, in that order, and how often. */
  private readonly met: number[] = [];
  private readonly counts: number[] = [];
  private readonly room: Room;
  private count = 0;
  /** Where the words of the last title and heading path stand: chunks of a block share them. */
  private readonly last = ['', ''];
  private readonly known = [
    { from: 0, to: 0 },
    { from: 0, to: 0 },
  ];

  constructor() {
    this.room = spare ?? new Room();
    spare = undefined;
  }

  get full(): boolean {
    return this.count >= MAX_GATHERED || this.vocabulary.full;
  }

  add(chunk: number, fields: Fields): void {
    const before = this.count;
    for (const [field, text] of fields.entries()) {
      const from = this.count;
      if (this.last[field] === text) this.repeat(this.known[field]!);
      else this.read(text, field << FIELD_BITS);
      if (field < this.last.length) {
        this.last[field] = text;
        this.known[field] = { from, to: this.count };
      }
    }
    this.chunks.push(chunk);
    this.lengths.push(this.count - before);
  }

  private read(text: string, base: number): void {
    const { room, met, counts } = this;
    const { indexes } = room;
    const chunk = this.chunks.length;
    let place = base;
    this.vocabulary.read(text, (term) => {
      if (this.count === room.term.length) room.grow();
      let index = indexes[term]! - 1;
      if (index === -1) {
        index = met.length;
        indexes[term] = met.push(term);
        counts.push(0);
      }
      counts[index]! += 1;
      room.term[this.count] = index;
      room.place[this.count] = place++;
      room.chunk[this.count++] = chunk;
    });
  }

  private repeat({ from, to }: { from: number; to: number }): void {
    const { room } = this;
    for (let at = from; at < to; at += 1) {
      if (this.count === room.term.length) room.grow();
      this.counts[room.term[at]!]! += 1;
      room.term[this.count] = room.term[at]!;
      room.place[this.count] = room.place[at]!;
      room.chunk[this.count++] = this.chunks.length;
    }
  }

  /** Hands the terms to a segment, sorted by their bytes; nothing may be added afterwards. */
  write(segment: SegmentWriter): void {
    const { met, room } = this;
    const starts = this.sort();
    const { places, chunks } = room;
    const { terms } = this.vocabulary;
    const lists = new PostingWriter();
    for (const index of inOrder(met.map((term) => terms[term]!.text))) {
      const end = starts[index + 1]!;
      for (let from = starts[index]!, to = from; from < end; from = to) {
        const chunk = chunks[from]!;
        while (to < end && chunks[to] === chunk) to += 1;
        lists.add(this.chunks[chunk]!, places, from, to);
      }
      segment.add(terms[met[index]!]!.bytes, lists);
    }
    for (const term of met) room.indexes[term] = 0;
    if (room.term.length <= MAX_KEPT) spare = room;
  }

  /** A counting sort: the words of each term together, still in the order of the texts. Returns where each begins. */
  private sort(): Uint32Array {
    const { count, counts, room } = this;
    const { term, place, chunk, places, chunks } = room;
    const starts = new Uint32Array(counts.length + 1);
    for (let at = 0; at < counts.length; at += 1) starts[at + 1] = starts[at]! + counts[at]!;
    const next = starts.slice();
    for (let at = 0; at < count; at += 1) {
      const to = next[term[at]!]!++;
      places[to] = place[at]!;
      chunks[to] = chunk[at]!;
    }
    return starts;
  }
}

const BEYOND_UNITS = /[\ud800-\uffff]/;

/** Indexes of texts in the order of their bytes, which is that of code points: by units where that is the same. */
function inOrder(texts: readonly string[]): number[] {
  const beyond = texts.map((text) => BEYOND_UNITS.test(text));
  const compare = (a: number, b: number): number =>
    beyond[a] || beyond[b] ? byPoints(texts[a]!, texts[b]!) : compareText(texts[a]!, texts[b]!);
  return Array.from(texts, (_, at) => at).sort(compare);
}

function byPoints(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let at = 0; at < left.length && at < right.length; at += 1) {
    const difference = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
