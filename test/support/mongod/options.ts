// What a test may choose when it starts a stand-in.

export interface MongodOptions {
  /** 0 or absent: any free port. */
  port?: number;
  /** Journal file: the data survives a restart and a kill. */
  dataFile?: string;
  /** Ask for SCRAM-SHA-256 with this user. */
  auth?: { user: string; password: string };
  /** Which server it is: `profiles.ts` has what each can do. Atlas unless said otherwise. */
  profile?: 'atlas' | 'documentdb' | 'community';
  /** A server by itself, without a replica set and so without transactions. */
  standalone?: boolean;
  /** How long a new search index takes until it is queryable. */
  searchBuildMs?: number;
}
