// A bounded cache of what was read. The connection empties it when this process or another one changes the database.
// Inside a write nothing is cached, because the write may be rolled back.

import type { Connection } from './connection.ts';

export interface Memory<Key, Value> {
  /** What is known for the key, or what `read` finds; an absent value is not kept. */
  get(key: Key, read: (key: Key) => Value): Value;
}

interface Bounds<Value> {
  /** Most that may be kept; the longest unused goes first. */
  limit: number;
  weigh: (value: Value) => number;
}

export function createMemory<Key, Value>(
  connection: Connection,
  { limit, weigh }: Bounds<NonNullable<Value>>,
): Memory<Key, Value> {
  const known = new Map<Key, NonNullable<Value>>();
  let weight = 0;
  connection.onChange(() => {
    known.clear();
    weight = 0;
  });

  function keep(key: Key, value: NonNullable<Value>): void {
    weight += weigh(value);
    known.set(key, value);
    if (weight > limit) forget();
  }

  function forget(): void {
    for (const [oldest, old] of known) {
      if (weight <= limit) return;
      known.delete(oldest);
      weight -= weigh(old);
    }
  }

  return {
    get(key, read) {
      if (connection.writing) return read(key);
      const found = known.get(key);
      if (found === undefined) {
        const value = read(key);
        if (value !== undefined && value !== null) keep(key, value);
        return value;
      }
      // The order of use matters only when the cache fills up.
      if (2 * weight > limit) {
        known.delete(key);
        known.set(key, found);
      }
      return found;
    },
  };
}
