// From a citation to the document it names, within what the caller may see.

import { parseCitation, type Citation } from '../../domain/citation.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import { didYouMean, nearest } from '../../domain/nearest.ts';
import type { Store } from '../../ports/store.ts';
import { findCollection, type CollectionView } from '../scope.ts';
import type { CiteNotice } from './types.ts';

export interface Located {
  /** As the caller wrote it. */
  input: string;
  citation: Citation;
  info: DocumentInfo;
}

/** Throws what a caller can act on: a malformed citation, an unknown source or document, each with the nearest names. */
export async function locate(
  store: Store,
  visible: readonly CollectionView[],
  input: string,
  notices: CiteNotice[],
): Promise<Located> {
  const citation = parseCitation(input);
  for (const message of citation.notices) notices.push({ code: 'citation_tidied', message, citation: input });
  const collection = findCollection(visible, citation.collection);
  if (collection.name !== citation.collection) {
    notices.push({
      code: 'alias_case',
      message: `Read \`${citation.collection}\` as \`${collection.name}\`.`,
      citation: input,
      alias: collection.name,
    });
  }
  const info = await findDocument(store, collection, citation.path, citation.hash);
  return { input, citation, info };
}

export async function findDocument(
  store: Store,
  collection: CollectionView,
  path: string,
  hash?: string,
): Promise<DocumentInfo> {
  const exact = await store.documents.get(collection.name, path);
  if (exact) return exact;
  const { documents } = await store.documents.list(collection.name, { limit: 1000 });
  // A collection of one document is cited by its name alone.
  if (path === '' && documents.length === 1) return documents[0]!;
  const names = documents.map((document) => document.path).filter(Boolean);
  // A file that was renamed keeps its text.
  const renamed = documents.filter(({ sha256 }) => hash && sha256.startsWith(hash)).map((one) => one.path);
  const suggestions = (renamed.length > 0 ? renamed.slice(0, 3) : nearest(path, names)).map(
    (name) => `${collection.name}/${name}`,
  );
  throw new VaiError(
    'DOCUMENT_NOT_FOUND',
    path === ''
      ? `\`${collection.name}\` holds ${documents.length} documents; the citation must name one.`
      : `\`${collection.name}\` has no document \`${path.slice(0, 200)}\`.`,
    {
      hint: didYouMean(suggestions) ?? `Write ${collection.name}/<path>:start-end with the path of a hit.`,
      suggestions,
    },
  );
}
