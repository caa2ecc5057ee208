// The stand-in itself: listens, answers each message in turn per connection, and wraps every command in what a real
// server does around it (authentication, faults, role, sessions, transactions, time limits).

import { createServer, type Socket } from 'node:net';
import { Binary, Long, Timestamp } from 'bson';
import { createCredentials } from './auth.ts';
import { adminCommands } from './commands/admin.ts';
import { catalogCommands } from './commands/catalog.ts';
import { handshakeCommands, hello } from './commands/handshake.ts';
import { readCommands } from './commands/read.ts';
import { searchCommands } from './commands/search.ts';
import { writeCommands } from './commands/write.ts';
import { createCursors } from './cursors.ts';
import { errorReply, ServerError } from './errors.ts';
import { block, createFaults } from './faults.ts';
import { createSessions, sessionOf, transactionOf } from './sessions.ts';
import { abortTransaction, createCatalog } from './storage/catalog.ts';
import { openJournal } from './storage/journal.ts';
import { createSplitter, formatReply, parseRequest, type Doc, type Request } from './wire/framing.ts';
import type { Call, Command, Connection, ServerState, Topology } from './commands/command.ts';
import type { MongodOptions } from './options.ts';
import { profileOf } from './profiles.ts';

const COMMANDS: Record<string, Command> = {
  ...handshakeCommands,
  ...adminCommands,
  ...catalogCommands,
  ...searchCommands,
  ...readCommands,
  ...writeCommands,
};

class Hangup extends Error {}

export interface Mongod {
  readonly port: number;
  close(): Promise<void>;
}

export async function runMongod(options: MongodOptions = {}): Promise<Mongod> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    serve(socket, state);
  });
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve((server.address() as { port: number }).port);
      });
    });
  const hangUp = (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    return closed;
  };
  const catalog = createCatalog();
  if (options.dataFile) catalog.journal = openJournal(options.dataFile, catalog);
  const state: ServerState = {
    options,
    profile: profileOf(options),
    credentials: options.auth ? createCredentials(options.auth.user, options.auth.password) : undefined,
    catalog,
    cursors: createCursors(),
    sessions: createSessions(),
    faults: createFaults(),
    topology: createTopology(),
    goAway: (ms) => void hangUp().then(() => setTimeout(() => void listen(port), ms)),
  };
  const port = await listen(options.port ?? 0);
  state.topology.address = `127.0.0.1:${port}`;
  return { port, close: hangUp };
}

function createTopology(): Topology {
  let wake: () => void = () => undefined;
  const next = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  const topology: Topology = {
    address: '',
    primary: true,
    version: 1,
    changed: next(),
    change(primary) {
      topology.primary = primary;
      topology.version += 1;
      const told = wake;
      topology.changed = next();
      told();
    },
  };
  return topology;
}

let connections = 0;

function serve(socket: Socket, state: ServerState): void {
  const connection: Connection = { id: ++connections, conversation: undefined, authenticated: false };
  let queue = Promise.resolve();
  const split = createSplitter((message) => {
    const bytes = Buffer.from(message);
    queue = queue
      .then(() => answer(socket, state, connection, parseRequest(bytes)))
      .catch(() => void socket.destroy());
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      split(chunk);
    } catch {
      socket.destroy();
    }
  });
}

async function answer(
  socket: Socket,
  state: ServerState,
  connection: Connection,
  request: Request,
): Promise<void> {
  const name = Object.keys(request.body)[0] ?? '';
  if (request.body.topologyVersion !== undefined && request.body.maxAwaitTimeMS !== undefined)
    return streamHello(socket, state, connection, request);
  const reply = await execute(name, request.body, state, connection);
  if (!request.silent && !socket.destroyed) socket.write(formatReply(request, reply).bytes);
}

/** The monitoring stream: an answer whenever the role changes, and at least once per wait. */
async function streamHello(
  socket: Socket,
  state: ServerState,
  connection: Connection,
  request: Request,
): Promise<void> {
  const known = Number((request.body.topologyVersion as { counter: bigint | number }).counter);
  let seen = known;
  let previous = request;
  const gone = new Promise<void>((resolve) => socket.once('close', resolve));
  while (!socket.destroyed) {
    if (state.topology.version === seen) {
      let timer: NodeJS.Timeout | undefined;
      const wait = new Promise<void>(
        (resolve) => (timer = setTimeout(resolve, Number(request.body.maxAwaitTimeMS))),
      );
      await Promise.race([state.topology.changed, wait, gone]);
      clearTimeout(timer);
    }
    if (socket.destroyed) return;
    seen = state.topology.version;
    const { bytes, id } = formatReply(previous, hello(state, connection.id), request.exhaustAllowed);
    socket.write(bytes);
    if (!request.exhaustAllowed) return;
    previous = { ...request, id };
  }
}

async function execute(name: string, command: Doc, state: ServerState, connection: Connection): Promise<Doc> {
  const inTransaction = command.autocommit === false;
  const context = {
    inTransaction,
    retryableWrite: command.txnNumber !== undefined && !inTransaction,
    commit: name === 'commitTransaction' || name === 'abortTransaction',
    reply: (error: ServerError, labels: readonly string[]) => state.profile.reply(error, labels),
  };
  const session = sessionOf(state.sessions, command);
  try {
    return withTime(await perform(name, command, state, connection), state);
  } catch (error) {
    if (error instanceof Hangup) throw error;
    if (inTransaction && session?.transaction && !context.commit && state.profile.failureAborts)
      abortTransaction(state.catalog, session.transaction);
    return withTime(errorReply(error, context), state);
  }
}

async function perform(name: string, command: Doc, state: ServerState, connection: Connection): Promise<Doc> {
  const known = COMMANDS[name];
  if (!known) throw state.profile.unknownCommand(name);
  if (state.credentials && !known.open && !connection.authenticated)
    throw new ServerError(13, `Command ${name} requires authentication`);
  const maxTimeMS =
    typeof command.maxTimeMS === 'number' && name !== 'getMore' ? command.maxTimeMS : undefined;
  const began = Date.now();
  const fault = name === 'configureFailPoint' ? undefined : state.faults.strike(name, command);
  if (fault) {
    await block(fault, maxTimeMS);
    if (fault.closeConnection && !fault.afterExecution) throw new Hangup();
    if (fault.error) throw fault.error;
  }
  if (known.data && !state.topology.primary)
    throw name in writeCommands
      ? new ServerError(10107, 'not primary')
      : new ServerError(13435, 'not primary and secondaryOk=false');
  if (command.txnNumber !== undefined && state.profile.topology === 'standalone')
    throw new ServerError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  const session = sessionOf(state.sessions, command);
  const transaction = transactionOf(session, command, {
    catalog: state.catalog,
    lifetimeMs: state.profile.transactionLifetimeMs,
  });
  if (transaction && !known.transactional)
    throw new ServerError(263, `Cannot run '${name}' in a multi-document transaction.`);
  const retryable = session && command.txnNumber !== undefined && !transaction && state.profile.dedupesWrites;
  if (retryable && session.done) return session.done;
  const call: Call = {
    command,
    name,
    db: typeof command.$db === 'string' ? command.$db : 'admin',
    connection,
    state,
    transaction,
    reader: {
      transaction,
      check: () => {
        if (maxTimeMS !== undefined && maxTimeMS > 0 && Date.now() - began > maxTimeMS)
          throw new ServerError(50, 'operation exceeded time limit');
      },
    },
  };
  const reply = await known.run(call);
  if (transaction && Array.isArray(reply.writeErrors) && state.profile.failureAborts)
    abortTransaction(state.catalog, transaction);
  if (retryable) session.done = reply;
  if (fault?.closeConnection) throw new Hangup();
  return reply;
}

function withTime(reply: Doc, state: ServerState): Doc {
  const time = new Timestamp({
    t: Math.floor(Date.now() / 1000),
    i: (state.catalog.clock.now % 0x7fffffff) + 1,
  });
  return {
    ...reply,
    operationTime: time,
    $clusterTime: { clusterTime: time, signature: { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO } },
  };
}
