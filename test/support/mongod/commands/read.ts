// Reading: find, aggregate, count, distinct and the life of cursors.

import { find as mingoFind } from 'mingo';
import { ServerError } from '../errors.ts';
import { matching } from '../query/match.ts';
import { runPipeline } from '../query/pipeline.ts';
import { ensureCollection, findCollection, writeEnv } from '../storage/catalog.ts';
import { insertDocument, writeDocument } from '../storage/collection.ts';
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
    const name = typeof command.aggregate === 'string' ? command.aggregate : undefined;
    const pipeline = [...(command.pipeline as Doc[])];
    const last = pipeline.at(-1);
    const sink = last && ('$out' in last || '$merge' in last) ? pipeline.pop() : undefined;
    const docs = runPipeline(name, pipeline, {
      catalog: state.catalog,
      db,
      reader,
      profile: state.profile,
    });
    reader.check();
    if (sink) pour(call, docs, sink);
    const cursor = command.cursor as Doc | undefined;
    return state.cursors.open(`${db}.${name ?? '$cmd.aggregate'}`, sink ? [] : docs, {
      batchSize: numberOf(cursor?.batchSize, 101),
    });
  },
};

/** $out and $merge (by `_id`, replacing or inserting), which is all the store could want of them. */
function pour(call: Call, docs: Doc[], sink: Doc): void {
  if (call.transaction) throw new ServerError(263, '$out and $merge cannot run within a transaction');
  const spec = (sink.$out ?? (sink.$merge as Doc).into ?? sink.$merge) as
    string | { coll: string; db?: string };
  const { db, name } =
    typeof spec === 'string' ? { db: call.db, name: spec } : { db: spec.db ?? call.db, name: spec.coll };
  const collection = ensureCollection(call.state.catalog, { db, name });
  const env = writeEnv(call.state.catalog, undefined);
  if ('$out' in sink) for (const record of [...collection.records.values()]) writeDocument(record, null, env);
  for (const doc of docs) {
    const record = collection.records.get(canonical(doc._id));
    if (record) writeDocument(record, doc, env);
    else insertDocument(collection, doc, env);
  }
}

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
