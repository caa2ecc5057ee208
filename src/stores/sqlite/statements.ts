// The statements of a connection, for code that runs inside the transaction of another.

import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** A prepared statement whose rows are known by the columns it names. */
export interface Prepared<Row> {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  iterate(...values: SQLInputValue[]): IterableIterator<Row>;
  run(...values: SQLInputValue[]): ReturnType<StatementSync['run']>;
}

export interface Statements {
  /** A prepared statement, kept for the next use. */
  readonly sql: <Row = Record<string, unknown>>(text: string) => Prepared<Row>;
  /** One row, or all rows, each as the list of its columns, which is quicker to make than an object. */
  readonly row: <Columns extends unknown[]>(
    text: string,
    ...values: (number | string)[]
  ) => Columns | undefined;
  readonly rows: <Columns extends unknown[]>(text: string, ...values: (number | string)[]) => Columns[];
}
