// From a citation to the document it names, within what the caller may see.

import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseCitation, targetOf, type Citation } from '../../domain/citation.ts';
import { collectionNotFound } from '../../domain/collection.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import { didYouMean, nearest } from '../../domain/nearest.ts';
import type { ArchivedVersion, Store } from '../../ports/store.ts';
import { documentsOf } from '../documents.ts';
import { findCollection, matchCollection, type CollectionView } from '../scope.ts';
import type { CiteNotice } from './types.ts';

export interface Located {
  /** As the caller wrote it. */
  input: string;
  citation: Citation;
  collection: CollectionView;
  info: DocumentInfo;
}

const MAX_PLACES = 3;
/** Collections in which a path alone is looked for, one after the other. */
const MAX_SEARCHED = 200;
/** Names a wrong one is compared with: a tenth of a second. */
const MAX_COMPARED = 10_000;

/** Throws what a caller can act on: a malformed citation, an unknown source or document, each with the nearest names. */
export async function locate(
  store: Store,
  visible: readonly CollectionView[],
  input: string,
  notices: CiteNotice[],
): Promise<Located> {
  const citation = parseCitation(input);
  for (const message of citation.notices) notices.push({ code: 'citation_tidied', message, citation: input });
  const collection = await collectionOf(store, visible, citation);
  if (collection.name !== citation.collection) {
    notices.push({
      code: 'alias_case',
      message: `Read \`${citation.collection}\` as \`${collection.name}\`.`,
      citation: input,
      alias: collection.name,
    });
  }
  const info = await findDocument(store, collection, citation.path, citation.hash);
  if (info.path !== citation.path && citation.path !== '')
    notices.push({
      code: 'renamed',
      message: `\`${citation.path}\` is now \`${info.path}\`.`,
      citation: input,
    });
  return { input, citation, collection, info };
}

/** Places that a path alone may mean are offered: the source of a hit is one. */
export async function collectionOf(
  store: Store,
  visible: readonly CollectionView[],
  named: Pick<Citation, 'collection' | 'path'>,
): Promise<CollectionView> {
  const collection = matchCollection(visible, named.collection);
  if (collection) return collection;
  const path = targetOf(named);
  const places: string[] = [];
  for (const { name } of visible.slice(0, MAX_SEARCHED))
    if (places.length < MAX_PLACES && (await store.documents.get(name, path))) places.push(`${name}/${path}`);
  if (places.length > 0) throw collectionNotFound(named.collection, { suggestions: places });
  return findCollection(visible, named.collection);
}

export async function findDocument(
  store: Store,
  collection: CollectionView,
  path: string,
  hash?: string,
): Promise<DocumentInfo> {
  const exact = await store.documents.get(collection.name, path);
  if (exact && (hash === undefined || (await hasText(store, exact, hash)))) return exact;
  // Many wrong citations in one call must not keep others waiting.
  await setImmediate();
  const renamed = hash === undefined ? undefined : await withText(store, collection.name, path, hash);
  if (renamed ?? exact) return (renamed ?? exact)!;
  const { documents } = collection.stats;
  const names: string[] = [];
  for await (const info of documentsOf(store, collection.name)) {
    // A collection of one document is cited by its name alone.
    if (path === '' && documents === 1) return info;
    if (info.path) names.push(info.path);
    if (names.length === MAX_COMPARED) break;
  }
  const suggestions = nearest(path, names).map((name) => `${collection.name}/${name}`);
  throw new VaiError(
    'DOCUMENT_NOT_FOUND',
    path === ''
      ? `\`${collection.name}\` holds ${documents.toLocaleString('en')} documents; the citation must name one.`
      : `\`${collection.name}\` has no document \`${path.slice(0, 200)}\`.`,
    {
      hint:
        didYouMean(suggestions) ??
        (path === ''
          ? `\`vai collections ${collection.name}\`, or vai_get with \`${collection.name}\`, lists them.`
          : `Write ${collection.name}/<path>:start-end with the path of a hit.`),
      suggestions,
    },
  );
}

/** Now or before. A citation of a text that was edited since is the usual one, and must not look through a collection. */
async function hasText(store: Store, info: DocumentInfo, hash: string): Promise<boolean> {
  const older = (): Promise<ArchivedVersion[]> => store.versions.list(info.collection, info.path);
  return info.sha256.startsWith(hash) || (await older()).some(({ sha256 }) => sha256.startsWith(hash));
}

/** A file that was renamed keeps its text and its older ones. Undefined where the document cited has it, or none has. */
async function withText(
  store: Store,
  collection: string,
  path: string,
  hash: string,
): Promise<DocumentInfo | undefined> {
  const paths = path === '' ? [] : await store.versions.pathsOf(collection, hash);
  if (paths.length === 0 || paths.includes(path)) return undefined;
  const called = (one: string): boolean => posix.basename(one) === posix.basename(path);
  return store.documents.get(collection, paths.find(called) ?? paths[0]!);
}
