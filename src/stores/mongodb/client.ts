// The one pooled client of a process, made when the first call needs it. Every operation has a time limit, and what
// passes by itself is waited out: a call for seconds, the write of a document for about a minute.

import { MongoClient, type ClientSession, type ClientSessionOptions, type Db } from 'mongodb';
import { decoded } from '../../domain/text.ts';
import { isDriverError, isLabelled, toStoreError } from './errors.ts';
import { createRepeater, type Patience } from './retry.ts';
import { askServer, type Server } from './server.ts';

export interface MongoOptions {
  uri: string;
  /** Field of the vector in a chunk. */
  field: string;
  /** Name of the vector index. */
  index: string;
  /** Paths to declare as filters beside our own. */
  filterFields: readonly string[];
  /** Create missing search indexes when a collection is written. */
  autoIndex: boolean;
  now: () => Date;
  /** Longest wait for a server that answers. */
  selectionMs?: number;
  /** Longest time one operation may run on the server. */
  operationMs?: number;
  /** How long the write of a document is repeated. */
  patienceMs?: number;
  /** Logs the server's message when it refuses something, without secrets. */
  debug?: (message: string, data: Record<string, unknown>) => void;
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
  /** What the server can do; asked once, of a database that the user may read. */
  server(database: string): Promise<Server>;
  /** Runs work whose errors come out as ours. It may be repeated, so it must be such that it can be. */
  run<T>(work: (client: MongoClient) => Promise<T>, doing?: 'read' | 'write'): Promise<T>;
  /** Until the answer is called, everything is worth waiting for: a run over many documents is under way. */
  hold(): () => void;
  /** The same for work that is worth waiting for: the write of a document. */
  patiently<T>(work: (attempt: number) => Promise<T>): Promise<T>;
  /**
   * Runs work in one transaction, once. One whose end nobody saw may have been committed, so whoever tries again may find
   * its own result.
   */
  attempt<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const SELECTION_MS = 5000;
const OPERATION_MS = 15_000;
/** Longer than a server keeps the transaction of a client that died (60 s), so that the next ingest gets through. */
const PATIENCE_MS = 75_000;
const MAX_SAID = 500;

export function createConnection(options: MongoOptions): Connection {
  const operationMs = options.operationMs ?? OPERATION_MS;
  const selectionMs = options.selectionMs ?? SELECTION_MS;
  const patienceMs = options.patienceMs ?? PATIENCE_MS;
  // A call that has waited for as long as an operation may take is not made to wait again.
  const short: Patience = { conflict: selectionMs, outage: selectionMs, overload: 0 };
  const long: Patience = { conflict: patienceMs, outage: patienceMs, overload: patienceMs };
  const repeat = createRepeater(patienceMs);
  let opened: MongoClient | undefined;
  let answered: MongoClient | undefined;
  let asked: Promise<Server> | undefined;
  let closed = false;
  const holders = new Set<object>();

  function open(): MongoClient {
    return new MongoClient(options.uri, {
      appName: 'vai',
      maxPoolSize: 20,
      maxIdleTimeMS: 60_000,
      waitQueueTimeoutMS: SELECTION_MS,
      serverSelectionTimeoutMS: selectionMs,
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

  /** Runs work with the client; the one that the next work gets is not one that can never connect. */
  async function withClient<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
    const used = client();
    try {
      const done = await work(used);
      answered = used;
      return done;
    } catch (thrown) {
      note(thrown);
      const { name } = thrown as Error;
      const lost = name === 'MongoServerSelectionError' || name === 'MongoTopologyClosedError';
      // The driver gives up a client for good whose first attempt to connect failed.
      if (lost && answered !== used && opened === used && !closed) {
        opened = undefined;
        void used.close().catch(() => undefined);
      }
      throw thrown;
    }
  }

  function note(thrown: unknown): void {
    if (!options.debug || !isDriverError(thrown)) return;
    const { name, code, codeName, message } = thrown;
    const said = withoutSecrets(message, options.uri).slice(0, MAX_SAID);
    options.debug('MongoDB refused an operation', { name, code, codeName, said });
  }

  async function run<T>(
    work: (client: MongoClient) => Promise<T>,
    doing: 'read' | 'write' = 'read',
  ): Promise<T> {
    try {
      return await repeat(() => withClient(work), holders.size > 0 ? long : short);
    } catch (thrown) {
      throw toStoreError(thrown, doing);
    }
  }

  function server(database: string): Promise<Server> {
    return (asked ??= run((connected) => askServer(connected, connected.db(database))).catch(
      (thrown: unknown) => {
        asked = undefined;
        throw thrown;
      },
    ));
  }

  return {
    options,
    limits: { maxTimeMS: operationMs },
    now: options.now,
    database: (name) => client().db(name),
    session: (options) => client().startSession(options),
    server,
    run,
    hold() {
      const holder = {};
      holders.add(holder);
      return () => void holders.delete(holder);
    },
    async patiently(work) {
      try {
        return await repeat((attempt) => withClient(() => work(attempt)), long);
      } catch (thrown) {
        throw toStoreError(thrown, 'write');
      }
    },
    attempt: (work) => inTransaction(client(), work),
    async close() {
      closed = true;
      const closing = opened;
      opened = undefined;
      await closing?.close();
    },
  };
}

async function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = client.startSession();
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
    const result = await work(session);
    await commit(session);
    return result;
  } catch (thrown) {
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    throw thrown;
  } finally {
    await session.endSession().catch(() => undefined);
  }
}

/** A commit whose answer was lost may be sent again and is answered alike. */
async function commit(session: ClientSession): Promise<void> {
  try {
    await session.commitTransaction();
  } catch (thrown) {
    if (!isLabelled(thrown, 'UnknownTransactionCommitResult')) throw thrown;
    await session.commitTransaction();
  }
}

/** The words of a message that are in the connection string, its addresses among them, are left out. */
function withoutSecrets(message: string, uri: string): string {
  const parts = uri
    .split(/[/:@?&,=]+/)
    .filter((part) => part.length > 2 && !/^mongodb(?:\+srv)?$/.test(part));
  return [...new Set([uri, ...parts, ...parts.map(decoded)])]
    .sort((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), message)
    .replaceAll(/mongodb(?:\+srv)?:\/\/\S*/g, '…');
}
