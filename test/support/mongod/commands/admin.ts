// Transactions' ends, and the switches by which a test makes the server misbehave.

import { abortTransaction, commitTransaction } from '../storage/catalog.ts';
import { abortAll } from '../sessions.ts';
import { ServerError } from '../errors.ts';
import { numberOf, type Command } from './command.ts';

export const adminCommands: Record<string, Command> = {
  commitTransaction: {
    data: true,
    transactional: true,
    run: ({ state, transaction }) => {
      if (!transaction) throw new ServerError(251, 'No transaction to commit.');
      if (transaction.state === 'active') commitTransaction(state.catalog, transaction);
      return { ok: 1 };
    },
  },
  abortTransaction: {
    data: true,
    transactional: true,
    run: ({ state, transaction }) => {
      if (!transaction) throw new ServerError(251, 'No transaction to abort.');
      abortTransaction(state.catalog, transaction);
      return { ok: 1 };
    },
  },
  configureFailPoint: { run: ({ state, command }) => state.faults.configure(command) },
  replSetStepDown: {
    run: ({ state, command }) => {
      abortAll(state.sessions, state.catalog);
      state.topology.change(false);
      setTimeout(() => state.topology.change(true), numberOf(command.replSetStepDown, 1) * 1000).unref();
      return { ok: 1 };
    },
  },
  /** Ours: no port and no connection for so many milliseconds. */
  goAway: {
    run: ({ state, command }) => {
      abortAll(state.sessions, state.catalog);
      setImmediate(() => state.goAway(numberOf(command.goAway, 1000)));
      return { ok: 1 };
    },
  },
};
