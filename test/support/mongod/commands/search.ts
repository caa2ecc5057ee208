// The commands of Atlas Search.

import { ServerError } from '../errors.ts';
import { createSearchIndex, updateSearchIndex, type SearchIndex } from '../search/indexes.ts';
import { findCollection } from '../storage/catalog.ts';
import type { Collection } from '../storage/collection.ts';
import type { Call, Command } from './command.ts';
import type { Doc } from '../wire/framing.ts';

function target({ state, db, command, name }: Call): Collection {
  if (state.profile.search !== 'atlas') throw state.profile.noSearch(name);
  const found = findCollection(state.catalog, db, String(command[name]));
  if (!found) throw new ServerError(26, `Collection '${db}.${String(command[name])}' does not exist.`);
  return found;
}

function named(collection: Collection, command: Doc): SearchIndex {
  const found = [...collection.searchIndexes.values()].find(
    (index) => index.id === command.id || index.name === command.name,
  );
  if (!found) throw new ServerError(27, `Index ${String(command.name ?? command.id)} not found.`);
  return found;
}

function record(call: Call, index: SearchIndex): void {
  const { id, name, type, latest } = index;
  const collection = String(call.command[call.name]);
  call.state.catalog.journal?.append([
    { collection, db: call.db, searchIndex: { id, name, type, definition: latest } },
  ]);
}

export const searchCommands: Record<string, Command> = {
  createSearchIndexes: {
    data: true,
    run: (call) => {
      const collection = target(call);
      const made = (call.command.indexes as Doc[]).map((spec) => {
        const index = createSearchIndex(collection, spec, call.state.options.searchBuildMs ?? 0);
        record(call, index);
        return { id: index.id, name: index.name };
      });
      return { indexesCreated: made, ok: 1 };
    },
  },
  updateSearchIndex: {
    data: true,
    run: (call) => {
      const index = named(target(call), call.command);
      updateSearchIndex(index, call.command.definition, call.state.options.searchBuildMs ?? 0);
      record(call, index);
      return { ok: 1 };
    },
  },
  dropSearchIndex: {
    data: true,
    run: (call) => {
      const collection = target(call);
      const index = named(collection, call.command);
      collection.searchIndexes.delete(index.name);
      call.state.catalog.journal?.append([
        { collection: collection.name, db: call.db, dropSearchIndex: index.name },
      ]);
      return { ok: 1 };
    },
  },
};
