// The one way a documentation text gets into the store: chunked, indexed, archived and recorded in one transaction,
// then the collection's record. A failure leaves the earlier version, or nothing if there was none.

import { plural } from '../../domain/text.ts';
import { BLOCK_PROFILE } from '../../domain/chunk.ts';
import type { Collection } from '../../domain/collection.ts';
import type { ReadText } from '../../domain/document.ts';
import type { HistoryEvent, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { embeddingFor } from '../index/embed.ts';
import { prepareDocument } from '../index/prepare.ts';
import { openTarget, undoTarget } from '../index/target.ts';
import type { IndexFailure } from '../index/types.ts';
import { writeDocument } from '../index/write.ts';
import { keepPages, pagesOf } from './pages.ts';
import type { Counts } from './types.ts';

export interface StoreTextInput {
  alias: string;
  read: ReadText;
  bytes: number;
  rawSha256?: string;
  origin?: string;
  title?: string;
  fetchedAt: string;
  event: HistoryEvent;
  /** Fields of the collection's record, given what it is when they are stored. */
  record: (before: Readonly<Collection>) => Partial<Collection>;
}

export async function storeText(
  deps: EngineDeps,
  store: Store,
  call: Call,
  input: StoreTextInput,
): Promise<{ counts: Counts; warnings: string[] }> {
  const { alias, record, ...given } = input;
  const before = await store.documents.get(alias, '');
  const target = await openTarget(deps, store, {
    name: alias,
    caller: call.principal,
    fallback: BLOCK_PROFILE,
  });
  const failures: IndexFailure[] = [];
  try {
    const document = await prepareDocument(deps.worker, call, {
      ...given,
      collection: alias,
      path: '',
      profile: target.chunking(before?.indexedWith),
      replaces: before !== undefined,
    });
    const { info, text, headings } = document.write;
    given.event.linesAfter = info.lines;
    given.event.headingsAfter = info.headings;
    const embedding = embeddingFor(target, call, {
      tolerant: true,
      tell: (message) => call.progress?.({ done: 0, message }),
    });
    await writeDocument({ store, call, embedding }, document, (failure) => failures.push(failure));
    await keepPages(store, alias, info.sha256, pagesOf(text, headings));
    await removeOtherDocuments(store, alias);
    await store.collections.change(alias, (before) => before && { ...before, ...record(before) });
    const counts = { totalLines: info.lines, headings: info.headings };
    return { counts, warnings: missingVectors(failures) };
  } catch (thrown) {
    await undoTarget(store, target);
    throw thrown;
  }
}

function missingVectors(failures: readonly IndexFailure[]): string[] {
  const [first] = failures;
  return first ? [`${plural(failures.length, 'chunk')} stored without vectors: ${first.message}`] : [];
}

/** A source of one text that was a folder before. */
async function removeOtherDocuments(store: Store, alias: string): Promise<void> {
  for (;;) {
    const { documents } = await store.documents.list(alias, { limit: 500 });
    const others = documents.filter((document) => document.path !== '');
    if (others.length === 0) return;
    for (const { path } of others) await store.documents.remove(alias, path);
  }
}
