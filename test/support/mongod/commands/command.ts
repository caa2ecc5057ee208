// What a command of the stand-in is given and may answer.

import type { Conversation, Credentials } from '../auth.ts';
import type { Cursors } from '../cursors.ts';
import type { Faults } from '../faults.ts';
import type { MongodOptions } from '../options.ts';
import type { Profile } from '../profiles.ts';
import type { Reader } from '../query/match.ts';
import type { Sessions } from '../sessions.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Transaction } from '../storage/transactions.ts';
import type { Doc } from '../wire/framing.ts';

export interface Connection {
  readonly id: number;
  conversation: Conversation | undefined;
  authenticated: boolean;
}

/** The server's role in its replica set of one. */
export interface Topology {
  address: string;
  primary: boolean;
  version: number;
  /** Settles when the role changes. */
  changed: Promise<void>;
  change(primary: boolean): void;
}

export interface ServerState {
  readonly options: MongodOptions;
  readonly profile: Profile;
  readonly credentials: Credentials | undefined;
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  readonly faults: Faults;
  readonly topology: Topology;
  /** Closes everything and listens again after a while. */
  goAway(ms: number): void;
}

export interface Call {
  readonly command: Doc;
  readonly name: string;
  readonly db: string;
  readonly connection: Connection;
  readonly state: ServerState;
  readonly transaction: Transaction | undefined;
  readonly reader: Reader;
}

export interface Command {
  run(call: Call): Doc | Promise<Doc>;
  /** Answered before the client has authenticated. */
  open?: boolean;
  /** Needs the primary. */
  data?: boolean;
  /** Allowed inside a transaction. */
  transactional?: boolean;
}

export const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;
