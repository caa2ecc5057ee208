// Logical sessions: the transaction each one has open, and the replies of retryable writes, so that a write sent twice
// happens once.

import { canonical } from './storage/values.ts';
import { abortTransaction, type Catalog } from './storage/catalog.ts';
import { beginTransaction, type Transaction } from './storage/transactions.ts';
import { ServerError } from './errors.ts';
import type { Doc } from './wire/framing.ts';

export interface Session {
  number: number;
  transaction: Transaction | undefined;
  /** Reply of the write with the current number, once done. */
  done: Doc | undefined;
}

export interface Sessions {
  readonly all: Map<string, Session>;
}

export function createSessions(): Sessions {
  return { all: new Map() };
}

export function sessionOf(sessions: Sessions, command: Doc): Session | undefined {
  if (command.lsid === undefined) return undefined;
  const key = canonical(command.lsid);
  let session = sessions.all.get(key);
  if (!session) sessions.all.set(key, (session = { number: -1, transaction: undefined, done: undefined }));
  return session;
}

/** Moves a session to the number the command carries; an older number is refused. */
function advance(session: Session, command: Doc, catalog: Catalog): void {
  const number = Number(command.txnNumber);
  if (number < session.number)
    throw new ServerError(
      225,
      `Cannot start transaction ${number} on session because a newer transaction ${session.number} has already started.`,
    );
  if (number === session.number) return;
  if (session.transaction) abortTransaction(catalog, session.transaction);
  session.number = number;
  session.transaction = undefined;
  session.done = undefined;
}

/** The transaction a command belongs to; begins it when the command says so. */
export function transactionOf(
  session: Session | undefined,
  command: Doc,
  { catalog, lifetimeMs }: { catalog: Catalog; lifetimeMs: number },
): Transaction | undefined {
  if (!session || command.txnNumber === undefined || command.autocommit !== false) {
    if (session && command.txnNumber !== undefined) advance(session, command, catalog);
    return undefined;
  }
  advance(session, command, catalog);
  if (command.startTransaction === true) {
    if (session.transaction)
      throw new ServerError(117, 'the transaction has already started on this session');
    const begun = beginTransaction(catalog.clock);
    session.transaction = begun;
    // What a client that died leaves open must not hold its locks for ever.
    const timer = setTimeout(() => abortTransaction(catalog, begun), lifetimeMs).unref();
    void begun.ended.then(() => clearTimeout(timer));
  }
  const { transaction } = session;
  if (!transaction) throw noSuch(session.number);
  const ending = 'commitTransaction' in command || 'abortTransaction' in command;
  if (transaction.state === 'aborted' && !('abortTransaction' in command)) throw noSuch(session.number);
  if (transaction.state === 'committed' && !ending)
    throw new ServerError(256, `Transaction ${session.number} has been committed.`);
  return transaction;
}

function noSuch(number: number): ServerError {
  return new ServerError(
    251,
    `Given transaction number ${number} does not match any in-progress transactions.`,
  );
}

export function endSessions(sessions: Sessions, list: Doc[], catalog: Catalog): void {
  for (const id of list) {
    const session = sessions.all.get(canonical(id));
    if (session?.transaction) abortTransaction(catalog, session.transaction);
    sessions.all.delete(canonical(id));
  }
}

export function abortAll(sessions: Sessions, catalog: Catalog): void {
  for (const session of sessions.all.values())
    if (session.transaction) abortTransaction(catalog, session.transaction);
}
