// The one way a documentation text gets into the store: cut, indexed, archived and recorded in one transaction, then
// the collection's record. What fails leaves what was there before; what was new and failed leaves nothing.

import { BLOCK_PROFILE } from '../../domain/chunk.ts';
import type { Collection } from '../../domain/collection.ts';
import type { ReadText } from '../../domain/document.ts';
import type { DocumentWrite, HistoryEvent, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openTarget } from '../index/target.ts';
import type { IngestedDocument } from '../index/types.ts';
import { writeDocument } from '../index/write.ts';
import { keepPages, pagesOf, type PageMap } from './pages.ts';

export const KEPT_VERSIONS = 10;

export interface StoreTextInput {
  alias: string;
  read: ReadText;
  bytes: number;
  rawSha256?: string;
  origin?: string;
  title?: string;
  fetchedAt: string;
  /** Keep the replaced text; off when the text is the same and only its index is made anew. */
  archive: boolean;
  event: HistoryEvent;
  /** Fields of the collection's record. */
  record: Partial<Collection>;
}

export async function storeText(
  deps: EngineDeps,
  store: Store,
  call: Call,
  input: StoreTextInput,
): Promise<IngestedDocument> {
  const { alias, read } = input;
  const existed = await store.collections.get(alias);
  const target = await openTarget(deps, store, { name: alias, profile: BLOCK_PROFILE });
  const { event } = input;
  let pages: PageMap = [];
  const annotate = async (write: DocumentWrite): Promise<void> => {
    event.linesAfter = write.info.lines;
    event.headingsAfter = write.info.headings;
    pages = pagesOf(write.text, write.headings);
  };
  let written: IngestedDocument;
  try {
    written = await writeDocument(
      { store, ...(target.embedder ? { embedder: target.embedder } : {}), tolerant: true, annotate },
      {
        collection: alias,
        path: '',
        read,
        bytes: input.bytes,
        ...(input.rawSha256 ? { rawSha256: input.rawSha256 } : {}),
        ...(input.origin ? { origin: input.origin } : {}),
        ...(input.title ? { title: input.title } : {}),
        fetchedAt: input.fetchedAt,
        profile: target.profile,
        ...(input.archive ? { archive: { keep: KEPT_VERSIONS } } : {}),
        event,
      },
      call,
    );
  } catch (thrown) {
    if (!existed) await store.collections.remove(alias).catch(() => false);
    throw thrown;
  }
  await keepPages(store, alias, written.sha256, pages);
  await removeOtherDocuments(store, alias);
  await store.collections.put({ ...target.collection, ...input.record });
  return written;
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
