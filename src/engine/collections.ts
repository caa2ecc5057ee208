// The engine group `collections`: lists, inspects, renames and removes collections.

import { atMost } from '../domain/few-at-a-time.ts';
import { checkCollectionName } from '../domain/collection.ts';
import type { DocumentInfo } from '../domain/document.ts';
import { VaiError } from '../domain/errors.ts';
import type { IndexInfo } from '../ports/store.ts';
import { requireEverything, requireScope, type Call } from './call.ts';
import type { EngineDeps } from './deps.ts';
import { withRunLock } from './index/lock.ts';
import { findCollection, openDatabase, visibleCollections, type CollectionView } from './scope.ts';

export interface CollectionReport extends CollectionView {
  indexes: IndexInfo[];
  /** What could not be read of this one; the others are unaffected. */
  error?: string;
}

export interface CollectionList {
  database: string;
  store: 'sqlite' | 'mongodb';
  /** What the server behind the store can do, in one sentence. */
  about?: string;
  collections: CollectionReport[];
  /** What the configuration asked for and did not get. */
  warnings: readonly string[];
}

export interface Collections {
  list(call: Call, request?: { db?: string }): Promise<CollectionList>;
  get(call: Call, request: { name: string; db?: string }): Promise<CollectionReport>;
  documents(
    call: Call,
    request: { collection: string; db?: string; limit: number; after?: string },
  ): Promise<{ documents: DocumentInfo[]; next?: string }>;
  /** The whole text of a document, to the last byte. */
  text(call: Call, request: { collection: string; path: string; db?: string }): Promise<string>;
  /** Removes one document, or the whole collection when no path is given. */
  remove(
    call: Call,
    request: { collection: string; path?: string; db?: string },
  ): Promise<{ collection: string; documents: number; chunks: number }>;
  /** Under its new name everything stays: texts, vectors, graph, history. Citations of the old name end. */
  rename(
    call: Call,
    request: { collection: string; to: string; db?: string },
  ): Promise<{ collection: string; renamedFrom: string }>;
  databases(call: Call): Promise<string[]>;
}

/** How many collections are asked for their indexes at once. */
const PARALLEL = 8;

export function createCollections(deps: EngineDeps): Collections {
  return {
    async list(call, request = {}) {
      const store = await openDatabase(deps, call, request.db);
      const visible = await visibleCollections(store, call);
      const reports = await atMost(PARALLEL, visible, async (view): Promise<CollectionReport> => {
        try {
          return { ...view, indexes: await store.indexes.list(view.name) };
        } catch (thrown) {
          const error = thrown instanceof VaiError ? thrown.message : 'Its indexes could not be read.';
          return { ...view, indexes: [], error };
        }
      });
      const warnings = call.principal.collections === '*' ? (deps.settings.warnings ?? []) : [];
      const about = await deps.stores.about?.();
      return {
        database: store.database,
        store: store.kind,
        ...(about ? { about } : {}),
        collections: reports,
        warnings,
      };
    },

    async get(call, { name, db }) {
      const store = await openDatabase(deps, call, db);
      const view = findCollection(await visibleCollections(store, call), name);
      return { ...view, indexes: await store.indexes.list(view.name) };
    },

    async documents(call, { collection, db, limit, after }) {
      const store = await openDatabase(deps, call, db);
      const view = findCollection(await visibleCollections(store, call), collection);
      return store.documents.list(view.name, { limit, ...(after ? { after } : {}) });
    },

    async text(call, { collection, path, db }) {
      const store = await openDatabase(deps, call, db);
      const view = findCollection(await visibleCollections(store, call), collection);
      const text = await store.documents.text(view.name, path);
      if (text === undefined) throw noDocument(view.name, path);
      return text;
    },

    async remove(call, { collection, path, db }) {
      requireScope(call.principal, 'admin');
      const store = await openDatabase(deps, call, db);
      const view = findCollection(await visibleCollections(store, call), collection);
      if (path === undefined) {
        await withRunLock(store, view.name, () => store.collections.remove(view.name));
        return { collection: view.name, documents: view.stats.documents, chunks: view.stats.chunks };
      }
      const document = await store.documents.get(view.name, path);
      if (!document) throw noDocument(view.name, path);
      await store.documents.remove(view.name, path);
      return { collection: view.name, documents: 1, chunks: document.chunks };
    },

    async rename(call, { collection, to, db }) {
      // Keys for some collections name them, so a new name is not theirs to choose.
      requireEverything(call.principal);
      const name = checkCollectionName(to);
      const store = await openDatabase(deps, call, db);
      const view = findCollection(await visibleCollections(store, call), collection);
      await withRunLock(store, view.name, () => store.collections.rename(view.name, name));
      return { collection: name, renamedFrom: view.name };
    },

    async databases(call) {
      requireScope(call.principal, 'read');
      const names = await deps.stores.list();
      const allowed = call.principal.databases;
      return allowed === '*' ? names : names.filter((name) => allowed.includes(name));
    },
  };
}

function noDocument(collection: string, path: string): VaiError {
  return new VaiError(
    'DOCUMENT_NOT_FOUND',
    `\`${collection}\` has no document \`${path.slice(0, 200)}\`.`,
    { hint: `List its documents with \`vai collections ${collection}\`.` }, // prettier-ignore
  );
}
