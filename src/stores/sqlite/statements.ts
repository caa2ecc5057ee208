// The statements of a connection, for code that runs inside the transaction of another.

import type { StatementSync } from 'node:sqlite';

export interface Statements {
  /** A prepared statement, kept for the next use. */
  readonly sql: (text: string) => StatementSync;
  /** One row, or all rows, each as the list of its columns, which is quicker to make than an object. */
  readonly row: <Columns extends unknown[]>(
    text: string,
    ...values: (number | string)[]
  ) => Columns | undefined;
  readonly rows: <Columns extends unknown[]>(text: string, ...values: (number | string)[]) => Columns[];
}
