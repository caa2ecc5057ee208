// The engine group `indexes`: the search indexes of collections. The embedded store keeps its own; on MongoDB they are
// made, waited for and dropped by a person.

import type { IndexInfo } from '../ports/store.ts';
import { requireScope, type Call } from './call.ts';
import type { EngineDeps } from './deps.ts';
import { findCollection, openDatabase, visibleCollections } from './scope.ts';

export interface IndexTools {
  list(
    call: Call,
    request?: { collection?: string; db?: string },
  ): Promise<{
    database: string;
    /** What the server behind the store can do, in one sentence. */
    about?: string;
    collections: { name: string; indexes: IndexInfo[] }[];
  }>;
  /** Resolves when the index answers; progress tells how long it has been building. */
  create(
    call: Call,
    request: {
      collection: string;
      db?: string;
      type: IndexInfo['type'];
      name?: string;
      dimensions?: number;
      filterFields?: string[];
    },
  ): Promise<IndexInfo>;
  drop(call: Call, request: { collection: string; name: string; db?: string }): Promise<boolean>;
}

export function createIndexTools(deps: EngineDeps): IndexTools {
  return {
    async list(call, { collection, db } = {}) {
      const store = await openDatabase(deps, call, db);
      const visible = await visibleCollections(store, call);
      const chosen = collection === undefined ? visible : [findCollection(visible, collection)];
      const collections = [];
      for (const { name } of chosen) collections.push({ name, indexes: await store.indexes.list(name) });
      const about = await deps.stores.about?.();
      return { database: store.database, ...(about ? { about } : {}), collections };
    },
    async create(call, { collection, db, type, ...options }) {
      requireScope(call.principal, 'admin');
      const store = await openDatabase(deps, call, db);
      const { name } = findCollection(await visibleCollections(store, call), collection);
      let done = 0;
      return store.indexes.create(name, type, {
        ...options,
        ...(call.signal ? { signal: call.signal } : {}),
        onProgress: (message) => call.progress?.({ done: (done += 1), message }),
      });
    },
    async drop(call, { collection, name, db }) {
      requireScope(call.principal, 'admin');
      const store = await openDatabase(deps, call, db);
      const view = findCollection(await visibleCollections(store, call), collection);
      return store.indexes.drop(view.name, name);
    },
  };
}
