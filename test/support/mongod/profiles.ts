// The servers that the stand-in can be: what each can do, and how it refuses the rest, in its own codes and words.
// DocumentDB as microsoft/documentdb v0.106 was seen to answer; Atlas and Community from MongoDB's documentation and source.

import { codeName, ServerError } from './errors.ts';
import type { MongodOptions } from './options.ts';
import type { Doc } from './wire/framing.ts';

export interface Profile {
  readonly wireVersion: number;
  /** A replica set of one, a router, or a server by itself, which has no transactions. */
  readonly topology: 'replicaSet' | 'router' | 'standalone';
  /** Whose search stages it answers. */
  readonly search: 'atlas' | 'cosmos' | 'none';
  /** A write that is sent again with the same number happens once. */
  readonly dedupesWrites: boolean;
  /** A statement that fails ends its transaction. */
  readonly failureAborts: boolean;
  /** How long it keeps the transaction of a client that went away. */
  readonly transactionLifetimeMs: number;
  /** Whether creating a collection that exists is refused. */
  readonly refusesExisting: boolean;
  unknownCommand(name: string): ServerError;
  /** A search command or stage that it does not have. */
  noSearch(what: string): ServerError;
  /** An error as it goes over the wire, beside `ok`. */
  reply(error: ServerError, labels: readonly string[]): Doc;
}

const LINK =
  'Please connect to Atlas or an AtlasCLI local deployment to enable. For more information on how to connect, see https://dochub.mongodb.org/core/atlas-cli-deploy-local-reqs.';

const MONGODB = {
  wireVersion: 25,
  dedupesWrites: true,
  failureAborts: true,
  transactionLifetimeMs: 60_000,
  refusesExisting: true,
  unknownCommand: (name: string) => new ServerError(59, `no such command: '${name}'`),
  noSearch: (what: string) =>
    new ServerError(
      31082,
      what === '$search' || what === '$vectorSearch'
        ? `Using $search and $vectorSearch aggregation stages requires additional configuration. ${LINK}`
        : `Using Atlas Search Database Commands and the $listSearchIndexes aggregation stage requires additional configuration. ${LINK}`,
    ),
  reply: (error: ServerError, labels: readonly string[]): Doc => ({
    errmsg: error.message,
    code: error.code,
    codeName: codeName(error.code),
    ...(labels.length ? { errorLabels: [...labels] } : {}),
    ...error.extra,
  }),
} as const;

/** What PostgreSQL calls 40001, packed as it packs its states. */
const SERIALIZATION_FAILURE = 16_777_220;

const DOCUMENTDB: Profile = {
  wireVersion: 21,
  topology: 'router',
  search: 'cosmos',
  dedupesWrites: false,
  failureAborts: false,
  transactionLifetimeMs: 5000,
  refusesExisting: false,
  // Spelled as the gateway spells it.
  unknownCommand: (name) => new ServerError(115, `Unknown command recieved: ${name}`),
  noSearch: (what) =>
    what.startsWith('$')
      ? new ServerError(40324, `Unrecognized pipeline stage name: ${what}`)
      : DOCUMENTDB.unknownCommand(what),
  reply: (error) => documentDbReply(error),
};

/** It labels nothing, calls the same things by other numbers and at times swaps name and message. */
function documentDbReply(error: ServerError): Doc {
  const { code, message } = error;
  if (code === 112 && error.stale)
    return { code: SERIALIZATION_FAILURE, errmsg: 'could not serialize access due to concurrent update' };
  if (code === 112)
    return { code, codeName: 'canceling statement due to lock timeout', errmsg: 'SqlState(E55P03)' };
  if (code === 11000) {
    const index = /index: (\S+)/.exec(message)?.[1] ?? '_id_';
    return { code, errmsg: `Duplicate key violation on the requested collection: Index '${index}'` };
  }
  return { code, codeName: code === 40324 ? 'UnrecognizedCommand' : codeName(code), errmsg: message };
}

export function profileOf({ profile = 'atlas', standalone = false }: MongodOptions): Profile {
  if (profile === 'documentdb') return DOCUMENTDB;
  return {
    ...MONGODB,
    topology: standalone ? 'standalone' : 'replicaSet',
    search: profile === 'atlas' ? 'atlas' : 'none',
  };
}
