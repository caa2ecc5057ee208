// Writing: insert, update, delete and a find-and-modify that removes. Each statement happens whole or not at all; outside a transaction
// it waits for one that holds the record, inside one it gives up at once.

import { calculateObjectSize, ObjectId } from 'bson';
import { Blocked, ServerError } from '../errors.ts';
import { matching } from '../query/match.ts';
import { applyToAll, isReplacement, upsertDocument, type UpdateStatement } from '../query/update.ts';
import { ensureCollection, findCollection, writeEnv } from '../storage/catalog.ts';
import { insertDocument, writeDocument, type Collection, type RecordEntry } from '../storage/collection.ts';
import { claim } from '../storage/transactions.ts';
import { checkVectors } from '../search/cosmos.ts';
import type { Call, Command } from './command.ts';
import type { Doc } from '../wire/framing.ts';

const MAX_DOCUMENT = 16_777_216;

/** Runs one statement until no transaction is in its way. */
async function settled<T>(call: Call, statement: () => T): Promise<T> {
  for (;;) {
    try {
      return statement();
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      await error.until;
      call.reader.check();
    }
  }
}

function newCollection(call: Call): Collection {
  const { state, db, command, name, transaction } = call;
  return ensureCollection(state.catalog, { db, name: String(command[name]) }, transaction);
}

function checked(collection: Collection, doc: Doc): Doc {
  if (calculateObjectSize(doc) > MAX_DOCUMENT)
    throw new ServerError(10334, 'BSONObj size is invalid: the limit is 16MB');
  checkVectors(collection, doc);
  return doc;
}

function withId(doc: Doc): Doc {
  return doc._id === undefined ? { _id: new ObjectId(), ...doc } : doc;
}

/** Runs the statements of a batch; a failure ends an ordered one, and a transaction altogether. */
async function batch<T>(
  call: Call,
  statements: T[],
  run: (statement: T, at: number) => void,
): Promise<Doc[]> {
  const errors: Doc[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      await settled(call, () => run(statement, index));
    } catch (error) {
      if (!(error instanceof ServerError) || error.code === 112) throw error;
      errors.push({ index, ...call.state.profile.reply(error, []) });
      if (call.command.ordered !== false || call.transaction) break;
    }
  }
  return errors;
}

const insert: Command = {
  data: true,
  transactional: true,
  run: async (call) => {
    const collection = newCollection(call);
    const env = writeEnv(call.state.catalog, call.transaction);
    let n = 0;
    const writeErrors = await batch(call, call.command.documents as Doc[], (doc) => {
      insertDocument(collection, checked(collection, withId(doc)), env);
      n += 1;
    });
    return { n, ...(writeErrors.length ? { writeErrors } : {}), ok: 1 };
  },
};

/** The records an update or delete is about: all that match, or the first. */
function targets(
  call: Call,
  collection: Collection,
  { q, multi }: { q: Doc; multi: boolean },
): [RecordEntry, Doc][] {
  const found = matching(collection, q, call.reader);
  if (multi) return [...found];
  const first = found.next();
  return first.done ? [] : [first.value];
}

interface Updated {
  matched: number;
  modified: number;
  upserted?: unknown;
}

function updateStatement(call: Call, collection: Collection, statement: UpdateStatement): Updated {
  const env = writeEnv(call.state.catalog, call.transaction);
  const { q, u, multi = false } = statement;
  if (Array.isArray(u)) throw new ServerError(9, 'The stand-in has no updates by a pipeline.');
  if (multi && isReplacement(u))
    throw new ServerError(9, 'multi update is not supported for replacement-style update');
  const result: Updated = { matched: 0, modified: 0 };
  const found = targets(call, collection, { q, multi });
  // Everything is claimed before anything is written: waiting for a transaction must not repeat half an update.
  for (const [record] of found) claim(record, call.transaction);
  const updated = applyToAll(
    found.map(([, doc]) => doc),
    u,
  );
  for (const [at, [record]] of found.entries()) {
    const after = updated[at];
    result.matched += 1;
    if (!after) continue;
    writeDocument(record, checked(collection, after), env);
    result.modified += 1;
  }
  if (result.matched === 0 && statement.upsert) {
    const doc = upsertDocument(statement, () => new ObjectId());
    insertDocument(collection, checked(collection, doc), env);
    result.upserted = doc._id;
  }
  return result;
}

const update: Command = {
  data: true,
  transactional: true,
  run: async (call) => {
    const collection = newCollection(call);
    const upserted: Doc[] = [];
    let n = 0;
    let nModified = 0;
    const writeErrors = await batch(call, call.command.updates as UpdateStatement[], (statement, index) => {
      const done = updateStatement(call, collection, statement);
      if (done.upserted !== undefined) upserted.push({ index, _id: done.upserted });
      n += done.matched + (done.upserted === undefined ? 0 : 1);
      nModified += done.modified;
    });
    return {
      n,
      nModified,
      ...(upserted.length ? { upserted } : {}),
      ...(writeErrors.length ? { writeErrors } : {}),
      ok: 1,
    };
  },
};

const remove: Command = {
  data: true,
  transactional: true,
  run: async (call) => {
    const collection = findCollection(call.state.catalog, call.db, String(call.command.delete));
    if (!collection) return { n: 0, ok: 1 };
    const env = writeEnv(call.state.catalog, call.transaction);
    let n = 0;
    const writeErrors = await batch(
      call,
      call.command.deletes as { q: Doc; limit: number }[],
      ({ q, limit }) => {
        const found = targets(call, collection, { q, multi: limit === 0 });
        for (const [record] of found) claim(record, call.transaction);
        for (const [record] of found) {
          writeDocument(record, null, env);
          n += 1;
        }
      },
    );
    return { n, ...(writeErrors.length ? { writeErrors } : {}), ok: 1 };
  },
};

const findAndModify: Command = {
  data: true,
  transactional: true,
  run: (call) => {
    if (call.command.remove !== true) throw new ServerError(9, 'The stand-in finds and removes only.');
    const collection = newCollection(call);
    return settled(call, () => {
      const [found] = targets(call, collection, { q: call.command.query as Doc, multi: false });
      if (found) writeDocument(found[0], null, writeEnv(call.state.catalog, call.transaction));
      return { lastErrorObject: { n: found ? 1 : 0 }, value: found?.[1] ?? null, ok: 1 };
    });
  },
};

export const writeCommands: Record<string, Command> = {
  insert,
  update,
  delete: remove,
  findAndModify,
};
