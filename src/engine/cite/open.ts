// Opens what a caller names: the lines of a citation, a document or its outline, or the documents of a
// collection or of a folder in it.

import { bareCitation, parseCitation, targetOf, type Citation } from '../../domain/citation.ts';
import type { DocumentInfo, Heading } from '../../domain/document.ts';
import { withoutTrailing } from '../../domain/text.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, visibleCollections } from '../scope.ts';
import { collectionOf, findDocument } from './locate.ts';
import { readCitations } from './read.ts';
import type { ReadResult } from './types.ts';

export const OPEN_VIEWS = ['lines', 'section', 'document', 'outline'] as const;

export interface OpenRequest {
  /** `collection/path:12-30@hash`, `collection/path`, `collection/folder` or `collection`. */
  target: string;
  db?: string;
  /** Default: what the target names. */
  view?: (typeof OPEN_VIEWS)[number];
  /** Where the last page of a list of documents ended. */
  cursor?: string;
}

export type Opened =
  | { kind: 'text'; database: string; document: DocumentInfo; read: ReadResult }
  | { kind: 'outline'; database: string; document: DocumentInfo; headings: readonly Heading[] }
  | { kind: 'documents'; database: string; collection: string; documents: DocumentInfo[]; next?: string };

const PAGE = 100;

export async function open(
  deps: EngineDeps,
  call: Call,
  { target: given, db, view, cursor }: OpenRequest,
): Promise<Opened> {
  const store = await openDatabase(deps, call, db);
  const { database } = store;
  const target = bareCitation(given);
  const citation = citationIn(target);
  const slash = target.indexOf('/');
  const named = citation ?? {
    collection: slash === -1 ? target : target.slice(0, slash),
    path: slash === -1 ? '' : target.slice(slash + 1),
  };
  const collection = await collectionOf(store, await visibleCollections(store, call), named);
  // A source that is one text has no paths: its name is that of the text.
  const namesCollection = !citation && named.path === '' && !(await store.documents.get(collection.name, ''));
  if (namesCollection) {
    const page = await store.documents.list(collection.name, { limit: PAGE, after: cursor || undefined });
    return { kind: 'documents', database, collection: collection.name, ...page };
  }
  const listed = citation ? undefined : await folderOf(store, collection.name, { path: named.path, cursor });
  if (listed) return { kind: 'documents', database, collection: collection.name, ...listed };
  const document = await findDocument(store, collection, named.path, citation?.hash);
  if (view === 'outline')
    return {
      kind: 'outline',
      database,
      document,
      headings: (await store.documents.headings(document.collection, document.path)) ?? [],
    };
  const whole = `${targetOf(document)}:1-${Math.max(1, document.lines)}`;
  const read = await readCitations(deps, call, {
    citations: [citation && view !== 'document' ? target : whole],
    db,
    mode: citation && view === 'section' ? 'symmetric' : 'none',
  });
  if (read.failed[0]) throw read.failed[0].error;
  return { kind: 'text', database, document, read };
}

/** The documents below a path that is no document; undefined where there are none. */
async function folderOf(
  store: Store,
  collection: string,
  { path, cursor }: { path: string; cursor: string | undefined },
): Promise<{ documents: DocumentInfo[]; next?: string } | undefined> {
  const folder = `${withoutTrailing(path, '/')}/`;
  if (folder === '/' || (await store.documents.get(collection, path))) return undefined;
  // In the order of the list, what is in a folder follows its name.
  const page = await store.documents.list(collection, { limit: PAGE, after: cursor || folder });
  const documents = page.documents.filter((one) => one.path.startsWith(folder));
  if (documents.length === 0) return undefined;
  const goesOn = documents.length === page.documents.length && page.next !== undefined;
  return { documents, ...(goesOn ? { next: page.next } : {}) };
}

/** None where the target names no lines: a document or a collection then. */
function citationIn(target: string): Citation | undefined {
  try {
    return parseCitation(target);
  } catch (thrown) {
    // A path of this machine names no collection.
    if (target.startsWith('/')) throw thrown;
    return undefined;
  }
}
