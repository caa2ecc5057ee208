// `handbook/auth` where a collection is named: what lies in that folder of it, or that document. The stores know nothing of
// it; it becomes a filter on where a text came from.

import { prefixFilter, type Filter } from '../../domain/filter.ts';
import { VaiError } from '../../domain/errors.ts';
import { withoutTrailing } from '../../domain/text.ts';
import type { Store } from '../../ports/store.ts';
import { findDocument } from '../cite/locate.ts';
import type { CollectionView } from '../scope.ts';

export interface NamedFolders {
  /** The collections alone. */
  names: string[] | undefined;
  /** None where a whole collection is named. */
  folders: string[];
}

export function namedFolders(given: readonly string[] | undefined): NamedFolders {
  const parts = (given ?? []).map((name) => {
    const slash = name.indexOf('/');
    const path = slash === -1 ? '' : withoutTrailing(name.slice(slash + 1), '/');
    return { name: slash === -1 ? name : name.slice(0, slash), path };
  });
  const names = given && [...new Set(parts.map(({ name }) => name))];
  const folders = parts.map(({ path }) => path);
  if ((names?.length !== 1 || names[0] === '*') && folders.some(Boolean))
    throw new VaiError('INVALID_INPUT', 'Folders are searched in one collection at a time.', {
      hint: 'Name folders of one collection, or whole collections.',
    });
  return { names, folders: folders.every(Boolean) ? folders : [] };
}

export async function inFolders(
  store: Store,
  collections: readonly CollectionView[],
  folders: readonly string[],
): Promise<Filter | undefined> {
  const [collection] = collections;
  if (folders.length === 0 || !collection) return undefined;
  for (const path of folders)
    if (!(await isFolder(store, collection.name, path))) await findDocument(store, collection, path);
  const filters = folders.flatMap((path): Filter[] => [
    { op: 'eq', path: 'source', value: path },
    prefixFilter('source', `${path}/`),
  ]);
  return { op: 'or', filters };
}

/** In the order of the list, what is in a folder follows its name. */
async function isFolder(store: Store, collection: string, path: string): Promise<boolean> {
  const { documents } = await store.documents.list(collection, { limit: 1, after: `${path}/` });
  return documents[0]?.path.startsWith(`${path}/`) ?? false;
}
