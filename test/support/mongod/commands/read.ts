// Reading: find, aggregate, count, distinct and the life of cursors.

import { find as mingoFind } from 'mingo';
import { matching } from '../query/match.ts';
import { runPipeline } from '../query/pipeline.ts';
import { findCollection } from '../storage/catalog.ts';
import { canonical, valuesAt } from '../storage/values.ts';
import { numberOf, type Call, type Command } from './command.ts';
import type { Long } from 'bson';
import type { Doc } from '../wire/framing.ts';

export interface FindOptions {
  filter?: Doc;
  sort?: Doc;
  projection?: Doc;
  skip?: number;
  limit?: number;
}

function findDocuments(call: Call, name: string, options: FindOptions): Doc[] {
  const collection = findCollection(call.state.catalog, call.db, name);
  if (!collection) return [];
  const docs: Doc[] = [];
  const enough =
    options.sort && Object.keys(options.sort).length
      ? Infinity
      : (options.skip ?? 0) + (options.limit || Infinity);
  for (const [, doc] of matching(collection, options.filter ?? {}, call.reader)) {
    docs.push(doc);
    if (docs.length >= enough) break;
  }
  const cursor = mingoFind<Doc>(docs, {}, options.projection ?? {});
  if (options.sort && Object.keys(options.sort).length) cursor.sort(options.sort);
  if (options.skip) cursor.skip(options.skip);
  if (options.limit) cursor.limit(options.limit);
  return cursor.all();
}

const find: Command = {
  data: true,
  transactional: true,
  run: (call) => {
    const { command, db, state } = call;
    const name = String(command.find);
    const limit = Math.abs(numberOf(command.limit, 0));
    const docs = findDocuments(call, name, {
      filter: command.filter as Doc | undefined,
      sort: command.sort as Doc | undefined,
      projection: command.projection as Doc | undefined,
      skip: numberOf(command.skip, 0),
      limit,
    });
    const single = command.singleBatch === true || numberOf(command.limit, 0) < 0;
    return state.cursors.open(`${db}.${name}`, docs, { batchSize: numberOf(command.batchSize, 101), single });
  },
};

const aggregateCommand: Command = {
  data: true,
  transactional: true,
  run: (call) => {
    const { command, db, state, reader } = call;
    const name = String(command.aggregate);
    const docs = runPipeline(name, command.pipeline as Doc[], {
      catalog: state.catalog,
      db,
      reader,
      profile: state.profile,
    });
    reader.check();
    const cursor = command.cursor as Doc | undefined;
    return state.cursors.open(`${db}.${name}`, docs, {
      batchSize: numberOf(cursor?.batchSize, 101),
    });
  },
};

export const readCommands: Record<string, Command> = {
  find,
  aggregate: aggregateCommand,
  count: {
    data: true,
    run: (call) => {
      const { command } = call;
      const n = findDocuments(call, String(command.count), {
        filter: command.query as Doc | undefined,
        skip: numberOf(command.skip, 0),
        limit: Math.abs(numberOf(command.limit, 0)),
      }).length;
      return { n, ok: 1 };
    },
  },
  distinct: {
    data: true,
    transactional: true,
    run: (call) => {
      const values = new Map<string, unknown>();
      for (const doc of findDocuments(call, String(call.command.distinct), {
        filter: call.command.query as Doc | undefined,
      }))
        for (const value of valuesAt(doc, String(call.command.key)).flat())
          if (value !== undefined) values.set(canonical(value), value);
      return { values: [...values.values()], ok: 1 };
    },
  },
  getMore: {
    data: true,
    transactional: true,
    run: ({ state, db, command }) => {
      const size = command.batchSize === undefined ? undefined : Number(command.batchSize);
      return state.cursors.more(command.getMore as Long, `${db}.${String(command.collection)}`, size);
    },
  },
  killCursors: {
    run: ({ state, command }) => {
      const { killed, missing } = state.cursors.kill(command.cursors as Long[]);
      return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
    },
  },
};
