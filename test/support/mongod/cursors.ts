// Open cursors: what is left of a result, handed out in batches of bounded count and size.

import { calculateObjectSize, Long } from 'bson';
import { ServerError } from './errors.ts';
import type { Doc } from './wire/framing.ts';

const MAX_BATCH_BYTES = 16_000_000;

export interface Cursors {
  /** The first batch, and a cursor over the rest. */
  open(ns: string, docs: Doc[], first: { batchSize: number; single?: boolean }): Doc;
  more(id: Long | number | bigint, ns: string, batchSize: number | undefined): Doc;
  kill(ids: (Long | number | bigint)[]): { killed: Long[]; missing: Long[] };
}

export function createCursors(): Cursors {
  const open = new Map<string, { ns: string; docs: Doc[] }>();
  let last = Math.floor(Math.random() * 1e9) * 1000;
  const take = (docs: Doc[], count: number): Doc[] => {
    let bytes = 0;
    let size = 0;
    while (size < docs.length && size < count) {
      bytes += calculateObjectSize(docs[size]!);
      if (bytes > MAX_BATCH_BYTES && size > 0) break;
      size += 1;
    }
    return docs.splice(0, size);
  };
  return {
    open(ns, docs, first) {
      const left = [...docs];
      const firstBatch = take(left, first.batchSize);
      let id = Long.ZERO;
      if (left.length && !first.single) {
        id = Long.fromNumber((last += 1));
        open.set(id.toString(), { ns, docs: left });
      }
      return { cursor: { firstBatch, id, ns }, ok: 1 };
    },
    more(id, ns, batchSize) {
      const cursor = open.get(String(id));
      if (cursor?.ns !== ns) throw new ServerError(43, `cursor id ${String(id)} not found`);
      const nextBatch = take(cursor.docs, batchSize ?? Infinity);
      const done = cursor.docs.length === 0;
      if (done) open.delete(String(id));
      return { cursor: { nextBatch, id: done ? Long.ZERO : Long.fromString(String(id)), ns }, ok: 1 };
    },
    kill(ids) {
      const all = ids.map((id) => ({ id: Long.fromString(String(id)), was: open.delete(String(id)) }));
      return {
        killed: all.filter((c) => c.was).map((c) => c.id),
        missing: all.filter((c) => !c.was).map((c) => c.id),
      };
    },
  };
}
