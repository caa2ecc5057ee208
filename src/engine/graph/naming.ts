// Names are extracted on the first search by relations, not at ingest, because most collections are never searched that
// way. Text is processed in small slices, so that the server keeps answering; results are saved as they come, so that a
// cancelled search, or another process doing the same work, loses nothing.

import { setImmediate } from 'node:timers/promises';
import { throwIfAborted, toVaiError, VaiError, type ErrorCode } from '../../domain/errors.ts';
import type { GraphScope, Unnamed } from '../../ports/graph-store.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import { fileName } from '../text/pages.ts';
import { mentionKeys } from './mentions/mentions.ts';

/** Characters at a time: five to ten milliseconds to read and look through, as many to write. */
const SLICE = 200_000;
/** How long a search waits for names; the next one continues where it stopped. */
export const PATIENCE_MS = 10_000;
/** A store that takes down nothing is left alone for so long. */
const RETRY_MS = 60_000;
/** What a question can do without names for. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'STORE_READONLY',
  'STORE_BUSY',
  'STORE_FULL',
  'WRITE_FAILED',
  'MONGO_AUTH',
  'MONGO_UNAVAILABLE',
  'TIMEOUT',
] as const);

/** One slice at a time for each store, whoever asks: two at once would do the same work. */
const underWay = new WeakMap<Store, Promise<unknown>>();
const refused = new WeakMap<Store, { error: VaiError; until: number }>();

export type NamingCall = Pick<Call, 'signal' | 'progress'> & { patienceMs?: number };

/** Gives the reason where not all names could be found: those that are there have to do. */
export async function completeNames(
  store: Store,
  scope: GraphScope,
  call: NamingCall,
): Promise<VaiError | undefined> {
  const end = performance.now() + (call.patienceMs ?? Infinity);
  let done = 0;
  let last: string | undefined;
  let left = await isIncomplete(store, scope);
  while (left) {
    const refusal = refused.get(store);
    if (refusal && refusal.until > performance.now()) return refusal.error;
    const other = underWay.get(store);
    if (other) {
      await other.catch(() => undefined);
      left = await isIncomplete(store, scope);
    } else {
      const slice = nameSlice(store, scope).finally(() => underWay.delete(store));
      underWay.set(store, slice);
      const { first, count } = await slice;
      left = first !== undefined;
      if (left && first === last) refuse(store, stuck());
      last = first;
      done += count;
      if (count > 0) call.progress?.({ done, message: 'finding names' });
    }
    await setImmediate();
    throwIfAborted(call.signal);
    if (left && performance.now() >= end) return unfinished();
  }
  if (done > 0) await store.optimize?.();
  return undefined;
}

/** At the end of an index run, so that the first question finds nothing left to do. */
export async function nameAll(
  store: Store,
  { collection, warnings }: { collection: string; warnings: string[] },
  call: NamingCall,
): Promise<void> {
  const refusal = await completeNames(store, [collection], call);
  if (refusal) warnings.push(`Names could not be written: ${refusal.message}`);
}

async function isIncomplete(store: Store, scope: GraphScope): Promise<boolean> {
  return (await store.graph.unnamed(scope, 1)).length > 0;
}

interface Slice {
  /** The chunk it began with; none when nothing is left to do. */
  first: string | undefined;
  /** Chunks whose names were taken down. */
  count: number;
}

async function nameSlice(store: Store, scope: GraphScope): Promise<Slice> {
  const keys = new Map<string, string[]>();
  for (const { info, chunks } of await store.graph.unnamed(scope, SLICE))
    for (const chunk of chunks) keys.set(chunk.id, mentionKeys(chunk.text, headingsOf(info, chunk)));
  const [first] = keys.keys();
  if (first === undefined) return { first, count: 0 };
  await setImmediate();
  try {
    await store.graph.name(keys);
    return { first, count: keys.size };
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (!REFUSALS.has(error.code)) throw error;
    refuse(store, error);
    return { first, count: 0 };
  }
}

/** Windows of lines are no headings, and a file name no title: neither says what a text is about. */
function headingsOf(info: Unnamed['info'], chunk: Unnamed['chunks'][number]): readonly string[] {
  if (info.headings > 0) return chunk.headingPath;
  return info.title === fileName(info) ? [] : [info.title];
}

function refuse(store: Store, error: VaiError): void {
  refused.set(store, { error, until: performance.now() + RETRY_MS });
}

function unfinished(): VaiError {
  return new VaiError('TIMEOUT', 'Not all of the text could be searched for names in time. Ask again.', {
    hint: '`vai graph build` searches all of it.',
  });
}

/** A chunk that was to get its names and still waits for them. */
function stuck(): VaiError {
  return new VaiError('WRITE_FAILED', 'The store did not save the names of a passage.', {
    hint: 'Run `vai doctor`.',
  });
}
