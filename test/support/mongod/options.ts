// What a test may choose when it starts a stand-in.

export interface MongodOptions {
  /** 0 or absent: any free port. */
  port?: number;
  /** Journal file: the data survives a restart and a kill. */
  dataFile?: string;
  /** Ask for SCRAM-SHA-256 with this user. */
  auth?: { user: string; password: string };
  /** False: a plain server without Atlas Search, which refuses every search command. */
  search?: boolean;
  /** A transaction that is neither committed nor aborted ends after this; 60 s as on a real server. */
  transactionLifetimeMs?: number;
  /** How long a new search index takes until it is queryable. */
  searchBuildMs?: number;
  /** How far searches trail behind writes. */
  searchLagMs?: number;
}
