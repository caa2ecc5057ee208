// Which folder may be indexed, and into which collection. A project names both, and its author may mean harm: a link out
// of the project, or a folder called like a collection of the user's, which an index run would empty.

import { realpath, stat } from 'node:fs/promises';
import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import { allDocuments } from '../documents.ts';
import { folderStamp } from '../index/origin.ts';
import { isInside } from '../inside.ts';
import type { CollectionView } from '../scope.ts';

/** Looked at when the folder is read, because a link can be changed after the server has started. */
export async function requireWithin(project: string | undefined, docs: string): Promise<void> {
  if (project === undefined) return;
  if (isInside(await realpath(project), await realpath(docs))) return;
  throw new VaiError('NOT_ALLOWED', 'The folder of documents lies outside the project that names it.', {
    hint: 'Run `vai trust` in the project if you mean it, or start with --docs <folder>.',
  });
}

/** What was ingested by hand, comes from an address or is kept from another folder is not replaced by this one. */
export async function requireOwn(
  store: Store,
  existing: CollectionView | undefined,
  docs: string,
): Promise<void> {
  if (!existing || existing.stats.documents === 0) return;
  const { source } = existing;
  // A first run that was stopped did not come to say whose collection it is; its documents do.
  if (!source) {
    const documents = await allDocuments(store, existing.name);
    if (documents.every(({ indexedWith }) => indexedWith?.folder === folderStamp(docs))) return;
  }
  if (source?.kind === 'folder') {
    if (source.location === docs) return;
    // A folder that was moved takes its collection along.
    const other = await stat(source.location).catch(() => undefined);
    if (!other?.isDirectory()) return;
  }
  throw new VaiError('SOURCE_EXISTS', `The collection \`${existing.name}\` holds other documents.`, {
    hint: 'Rename the folder of documents, or remove that collection first.',
  });
}
