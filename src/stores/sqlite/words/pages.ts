// The terms of a segment in pages: sorted by their bytes, each without what it shares with the one before, followed by
// its postings and positions, or by the row that holds them where they are long. A page is one row, small enough to
// stand whole in the table's tree.

import { ByteReader, ByteWriter } from './bytes.ts';

/** What a segment knows of a term. Sequence numbers of chunks rise. */
export interface Entry {
  /** UTF-8. */
  term: Uint8Array;
  /** How many chunks have it, and the first and the last of them. */
  chunks: number;
  first: number;
  last: number;
  postings: Uint8Array;
  positions: Uint8Array;
}

/** An entry as a page holds it. */
export type StoredEntry = Omit<Entry, 'postings' | 'positions'> & {
  /** Undefined where they stand in rows of their own: the postings in row `list`, the positions in the next. */
  inline: { postings: Uint8Array; positions: Uint8Array } | undefined;
  list: number;
};

/** Bytes of a page, and of the lists that stand in it. Larger pages would overflow theirs in the file. */
const PAGE = 3800;
const INLINE = 1200;

const INLINE_FLAG = 1;

export interface PageSink {
  page(first: string, data: Uint8Array): void;
  /** Writes postings and positions in two rows that follow each other; returns the first. */
  lists(postings: Uint8Array, positions: Uint8Array): number;
}

/** Takes entries in the order of their terms. */
export class PageWriter {
  private readonly sink: PageSink;
  private readonly page = new ByteWriter();
  private firstTerm = new Uint8Array(0);
  private lastTerm = new Uint8Array(0);

  constructor(sink: PageSink) {
    this.sink = sink;
  }

  add(entry: Entry): void {
    const { term, postings, positions } = entry;
    const inline = postings.length + positions.length <= INLINE;
    const room = term.length + 32 + (inline ? postings.length + positions.length : 0);
    if (this.page.length > 0 && this.page.length + room > PAGE) this.end();
    const shared = this.page.length === 0 ? 0 : commonLength(this.lastTerm, term);
    if (this.page.length === 0) this.firstTerm = term.slice();
    this.page.number(shared);
    this.page.number(term.length - shared);
    this.page.copy(term, shared);
    this.page.number(entry.chunks);
    this.page.number(entry.first);
    this.page.number(entry.last - entry.first);
    if (inline) {
      this.page.number((postings.length << 1) | INLINE_FLAG);
      this.page.number(positions.length);
      this.page.copy(postings);
      this.page.copy(positions);
    } else this.page.number(this.sink.lists(postings, positions) * 2);
    this.lastTerm = term.slice();
  }

  end(): void {
    if (this.page.length > 0) this.sink.page(decoder.decode(this.firstTerm), this.page.view());
    this.page.clear();
  }
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function bytesOf(term: string): Uint8Array {
  return encoder.encode(term);
}

export function textOf(term: Uint8Array): string {
  return decoder.decode(term);
}

function commonLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}

export function* entriesOf(page: Uint8Array): Generator<StoredEntry> {
  const reader = new ByteReader(page);
  let term = new Uint8Array(0);
  while (reader.at < page.length) {
    const shared = reader.number();
    const added = reader.number();
    const next = new Uint8Array(shared + added);
    next.set(term.subarray(0, shared));
    next.set(page.subarray(reader.at, reader.at + added), shared);
    reader.at += added;
    term = next;
    yield rest(reader, term);
  }
}

/** The entry of a term in the page that would hold it. */
export function entryOf(page: Uint8Array, term: Uint8Array): StoredEntry | undefined {
  const reader = new ByteReader(page);
  // How far the last term that was read agrees with the one looked for; it was smaller.
  let agreed = 0;
  while (reader.at < page.length) {
    const shared = reader.number();
    const added = reader.number();
    const start = reader.at;
    reader.at += added;
    if (shared < agreed) return undefined;
    if (shared === agreed) {
      const most = Math.min(added, term.length - shared);
      let at = 0;
      while (at < most && page[start + at] === term[shared + at]) at += 1;
      agreed = shared + at;
      if (at === added && agreed === term.length) return rest(reader, term);
      if (at < added && (agreed === term.length || page[start + at]! > term[agreed]!)) return undefined;
    }
    skip(reader);
  }
  return undefined;
}

function rest(reader: ByteReader, term: Uint8Array): StoredEntry {
  const chunks = reader.number();
  const first = reader.number();
  const last = first + reader.number();
  const head = reader.number();
  if ((head & INLINE_FLAG) === 0) return { term, chunks, first, last, inline: undefined, list: head / 2 };
  const size = head >>> 1;
  const more = reader.number();
  const from = reader.at;
  reader.at += size + more;
  const inline = {
    postings: reader.bytes.subarray(from, from + size),
    positions: reader.bytes.subarray(from + size, from + size + more),
  };
  return { term, chunks, first, last, inline, list: 0 };
}

function skip(reader: ByteReader): void {
  for (let count = 0; count < 3; count += 1) reader.number();
  const head = reader.number();
  if ((head & INLINE_FLAG) === 0) return;
  const more = reader.number();
  reader.at += more + (head >>> 1);
}
