// Databases, collections and ordinary indexes.

import { Binary } from 'bson';
import { ServerError } from '../errors.ts';
import { matches } from '../query/match.ts';
import { buildIndex, type Collection } from '../storage/collection.ts';
import { dropCollection, ensureCollection, findCollection } from '../storage/catalog.ts';
import { checkCosmosIndex, isCosmosIndex } from '../search/cosmos.ts';
import { canonical } from '../storage/values.ts';
import { numberOf, type Call, type Command } from './command.ts';
import type { IndexSpec } from '../storage/indexes.ts';
import type { Doc } from '../wire/framing.ts';

function existing({ state, db, command, name }: Call): Collection {
  const found = findCollection(state.catalog, db, String(command[name]));
  if (!found) throw new ServerError(26, `ns does not exist: ${db}.${String(command[name])}`);
  return found;
}

function batchSize(command: Doc): { batchSize: number } {
  return { batchSize: numberOf((command.cursor as Doc | undefined)?.batchSize, 101) };
}

const listCollections: Command = {
  data: true,
  run: ({ state, db, command, transaction }) => {
    const all = [...(state.catalog.databases.get(db)?.values() ?? [])].filter(
      (c) => !c.createdBy || c.createdBy === transaction,
    );
    const docs = all
      .map((collection) => ({
        name: collection.name,
        type: 'collection',
        options: collection.options,
        info: {
          readOnly: false,
          uuid: new Binary(Buffer.from(collection.uuid.replaceAll('-', ''), 'hex'), 4),
        },
        idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
      }))
      .filter((doc) => matches(doc, (command.filter ?? {}) as Doc))
      .map((doc) => (command.nameOnly === true ? { name: doc.name, type: doc.type } : doc));
    return state.cursors.open(`${db}.$cmd.listCollections`, docs, batchSize(command));
  },
};

const createIndexes: Command = {
  data: true,
  run: ({ state, db, command }) => {
    const name = String(command.createIndexes);
    const created = !findCollection(state.catalog, db, name);
    const collection = ensureCollection(state.catalog, { db, name });
    const before = collection.indexes.size;
    for (const spec of command.indexes as IndexSpec[]) {
      const same = collection.indexes.get(spec.name);
      if (same) {
        if (canonical(same.spec.key) !== canonical(spec.key) || !!same.spec.unique !== !!spec.unique)
          throw new ServerError(86, 'An existing index has the same name as the requested index.');
        continue;
      }
      if (isCosmosIndex(spec)) {
        if (state.profile.search !== 'cosmos')
          throw new ServerError(67, "Unknown index plugin 'cosmosSearch'");
        checkCosmosIndex(collection, spec);
      }
      const other = [...collection.indexes.values()].find(
        (index) => canonical(index.spec.key) === canonical(spec.key),
      );
      if (other) throw new ServerError(85, `Index already exists with a different name: ${other.spec.name}`);
      const full = { v: 2, ...spec };
      buildIndex(collection, full);
      state.catalog.journal?.append([{ collection: name, db, index: full }]);
    }
    return {
      numIndexesBefore: before,
      numIndexesAfter: collection.indexes.size,
      createdCollectionAutomatically: created,
      ok: 1,
    };
  },
};

const dropIndexes: Command = {
  data: true,
  run: (call) => {
    const collection = existing(call);
    const before = collection.indexes.size;
    const index = String(call.command.index);
    if (!collection.indexes.delete(index)) throw new ServerError(27, `index not found with name [${index}]`);
    call.state.catalog.journal?.append([{ collection: collection.name, db: call.db, dropIndex: index }]);
    return { nIndexesWas: before, ok: 1 };
  },
};

const renameCollection: Command = {
  data: true,
  run: ({ state, command }) => {
    const [from, to] = [String(command.renameCollection), String(command.to)].map((ns) => {
      const dot = ns.indexOf('.');
      return { db: ns.slice(0, dot), name: ns.slice(dot + 1) };
    }) as [{ db: string; name: string }, { db: string; name: string }];
    const collection = findCollection(state.catalog, from.db, from.name);
    if (!collection) throw new ServerError(26, `Source collection ${from.db}.${from.name} does not exist`);
    const target = findCollection(state.catalog, to.db, to.name);
    if (target && command.dropTarget !== true) throw new ServerError(48, 'target namespace exists');
    if (target) dropCollection(state.catalog, target);
    const collections = state.catalog.databases.get(from.db)!;
    collections.delete(from.name);
    collection.name = to.name;
    collections.set(to.name, collection);
    state.catalog.journal?.append([{ collection: from.name, db: from.db, rename: to.name }]);
    return { ok: 1 };
  },
};

export const catalogCommands: Record<string, Command> = {
  listDatabases: {
    data: true,
    run: ({ state, command }) => {
      const databases = [...state.catalog.databases.keys()]
        .map((name) => ({ name, sizeOnDisk: 4096, empty: false }))
        .filter((doc) => matches(doc, (command.filter ?? {}) as Doc));
      return {
        databases: command.nameOnly === true ? databases.map(({ name }) => ({ name })) : databases,
        totalSize: 4096 * databases.length,
        ok: 1,
      };
    },
  },
  listCollections,
  dbStats: {
    data: true,
    run: ({ state, db }) => {
      const collections = [...(state.catalog.databases.get(db)?.values() ?? [])];
      const objects = collections.reduce((sum, collection) => sum + collection.records.size, 0);
      return {
        db,
        collections: collections.length,
        objects,
        storageSize: 4096 + objects * 512,
        indexSize: 4096,
        ok: 1,
      };
    },
  },
  create: {
    data: true,
    transactional: true,
    run: ({ state, db, command, transaction }) => {
      const { create, capped, validator, collation } = command;
      if (findCollection(state.catalog, db, String(create))) {
        if (!state.profile.refusesExisting) return { ok: 1 };
        throw new ServerError(48, `Collection ${db}.${String(create)} already exists.`);
      }
      const options = Object.fromEntries(
        Object.entries({ capped, validator, collation }).filter(([, v]) => v !== undefined),
      );
      ensureCollection(state.catalog, { db, name: String(create), options }, transaction);
      return { ok: 1 };
    },
  },
  drop: {
    data: true,
    run: (call) => {
      const found = findCollection(call.state.catalog, call.db, String(call.command.drop));
      if (!found) return { ok: 1 };
      dropCollection(call.state.catalog, found);
      return { ns: `${call.db}.${found.name}`, nIndexesWas: found.indexes.size, ok: 1 };
    },
  },
  dropDatabase: {
    data: true,
    run: ({ state, db }) => {
      for (const collection of [...(state.catalog.databases.get(db)?.values() ?? [])])
        dropCollection(state.catalog, collection);
      return { dropped: db, ok: 1 };
    },
  },
  renameCollection,
  createIndexes,
  dropIndexes,
  listIndexes: {
    data: true,
    run: (call) => {
      const collection = existing(call);
      const docs = [...collection.indexes.values()].map(({ spec }) => spec);
      return call.state.cursors.open(`${call.db}.${collection.name}`, docs, batchSize(call.command));
    },
  },
};
