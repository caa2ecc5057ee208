// The one pooled client of a process, made when the first call needs it. Every operation has a time limit.

import {
  MongoClient,
  type ClientSession,
  type ClientSessionOptions,
  type Collection,
  type Db,
  type Document,
} from 'mongodb';
import { VaiError, throwIfAborted } from '../../domain/errors.ts';
import { toStoreError } from './errors.ts';

export interface MongoOptions {
  uri: string;
  /** Field of the vector in a chunk. */
  field?: string;
  /** Name of the vector index. */
  index?: string;
  /** Paths to declare as filters beside our own. */
  filterFields?: readonly string[];
  /** Create missing search indexes when a collection is written. */
  autoIndex?: boolean;
  now?: () => Date;
  /** Longest wait for a server that answers. */
  selectionMs?: number;
  /** Longest time one operation may run on the server. */
  operationMs?: number;
}

export interface Limits {
  maxTimeMS: number;
}

export interface Connection {
  readonly options: MongoOptions;
  readonly limits: Limits;
  now(): Date;
  database(name: string): Db;
  session(options: ClientSessionOptions): ClientSession;
  /** Runs work whose errors come out as ours. */
  run<T>(work: (client: MongoClient) => Promise<T>): Promise<T>;
  /** Runs work in one transaction; repeated as a whole after a conflict or a change of primary. */
  transaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const SELECTION_MS = 5000;
const OPERATION_MS = 15_000;
/**
 * Conflicts are tried again within this time: longer than a server keeps the transaction of a client that died, so
 * that the next ingest of the same document gets through.
 */
const TRANSACTION_MS = 75_000;

export function createConnection(options: MongoOptions): Connection {
  const operationMs = options.operationMs ?? OPERATION_MS;
  let opened: MongoClient | undefined;

  function open(): MongoClient {
    return new MongoClient(options.uri, {
      appName: 'vai',
      maxPoolSize: 20,
      maxIdleTimeMS: 60_000,
      waitQueueTimeoutMS: SELECTION_MS,
      serverSelectionTimeoutMS: options.selectionMs ?? SELECTION_MS,
      connectTimeoutMS: SELECTION_MS,
      // A server that stopped answering without hanging up: a little later than its own time limit.
      socketTimeoutMS: operationMs + SELECTION_MS,
      retryReads: true,
      retryWrites: true,
      ignoreUndefined: true,
    });
  }

  function client(): MongoClient {
    return (opened ??= open());
  }

  async function run<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
    try {
      return await work(client());
    } catch (thrown) {
      throw toStoreError(thrown);
    }
  }

  return {
    options,
    limits: { maxTimeMS: operationMs },
    now: options.now ?? (() => new Date()),
    database: (name) => client().db(name),
    session: (options) => client().startSession(options),
    run,
    transaction: (work) =>
      run((connected) =>
        connected.withSession((session) =>
          session.withTransaction(() => work(session), {
            readConcern: { level: 'snapshot' },
            writeConcern: { w: 'majority' },
            timeoutMS: TRANSACTION_MS,
          }),
        ),
      ),
    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.close();
    },
  };
}

/** One database with everything the modules of the store share. */
export interface Database {
  readonly name: string;
  readonly connection: Connection;
  readonly limits: Limits;
  collection<T extends Document>(name: string): Collection<T>;
  db(): Db;
  now(): Date;
  /** Collections of chunks this process has prepared; asking the server again for every document would be slow. */
  readonly prepared: Set<string>;
}

export function createDatabase(connection: Connection, name: string): Database {
  return {
    name,
    connection,
    limits: connection.limits,
    now: () => connection.now(),
    prepared: new Set(),
    db: () => connection.database(name),
    collection: <T extends Document>(collection: string) =>
      connection.database(name).collection<T>(collection),
  };
}

/** Stops waiting when the caller has gone; the server's own time limit ends the rest. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  throwIfAborted(signal);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new VaiError('CANCELLED', 'The call was cancelled.'));
    signal.addEventListener('abort', stop, { once: true });
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
