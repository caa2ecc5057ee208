// The engine group `upkeep`: checks whether a database is sound, copies it, and reclaims its space.

import { requireEverything, type Call } from './call.ts';
import type { EngineDeps } from './deps.ts';
import { allowedDatabase, openDatabase } from './scope.ts';
import type { StoreHealth } from '../ports/store.ts';

export interface Upkeep {
  /** Reads everything: index against text, counts, file integrity. */
  check(call: Call, request?: { db?: string }): Promise<StoreHealth & { database: string; bytes: number }>;
  /** A whole copy in one file, taken while others read and write. */
  backup(call: Call, request: { file: string; db?: string }): Promise<{ database: string; file: string }>;
  /** A new database out of what `backup` wrote. */
  restore(
    call: Call,
    request: { file: string; db?: string },
  ): Promise<{ database: string; collections: number }>;
  compact(
    call: Call,
    request?: { db?: string },
  ): Promise<{ database: string; before: number; after: number }>;
}

export function createUpkeep(deps: EngineDeps): Upkeep {
  return {
    async check(call, { db } = {}) {
      requireEverything(call.principal);
      const store = await openDatabase(deps, call, db);
      return { ...(await store.check()), database: store.database, bytes: await store.bytes() };
    },
    async backup(call, { file, db }) {
      requireEverything(call.principal);
      const store = await openDatabase(deps, call, db);
      await store.backup(file);
      return { database: store.database, file };
    },
    async restore(call, { file, db }) {
      requireEverything(call.principal);
      const database = allowedDatabase(deps, call, db);
      await deps.stores.restore(database, file);
      const store = await deps.stores.open(database);
      return { database, collections: (await store.collections.list()).length };
    },
    async compact(call, { db } = {}) {
      requireEverything(call.principal);
      const store = await openDatabase(deps, call, db);
      const before = await store.bytes();
      await store.compact();
      return { database: store.database, before, after: await store.bytes() };
    },
  };
}
