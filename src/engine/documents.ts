// The documents of a collection, whatever their number.

import type { DocumentInfo } from '../domain/document.ts';
import type { Store } from '../ports/store.ts';

const PAGE = 1000;

/** Read page by page, so that those of a large collection are never in memory together. */
export async function* documentsOf(store: Store, collection: string): AsyncGenerator<DocumentInfo> {
  for (let after: string | undefined; ;) {
    const page = await store.documents.list(collection, { limit: PAGE, after });
    yield* page.documents;
    after = page.next;
    if (after === undefined) return;
  }
}

export async function allDocuments(store: Store, collection: string): Promise<DocumentInfo[]> {
  const documents: DocumentInfo[] = [];
  for await (const document of documentsOf(store, collection)) documents.push(document);
  return documents;
}
