// A bounded cache of what was read. The connection empties it when this process or another one changes the database.
// Inside a write nothing is cached, because the write may be rolled back.

import type { Connection } from './connection.ts';

export interface Memory<Key, Value> {
  /** What is known for the key, or what `read` finds; an absent value is not kept. */
  get(key: Key, read: (key: Key) => Value): Value;
}

/** At most `limit` values are kept; the longest unused goes first. */
export function createMemory<Key, Value>(connection: Connection, limit: number): Memory<Key, Value> {
  const known = new Map<Key, NonNullable<Value>>();
  connection.onChange(() => known.clear());
  return {
    get(key, read) {
      if (connection.writing) return read(key);
      const found = known.get(key);
      if (found === undefined) {
        const value = read(key);
        if (value === undefined || value === null) return value;
        if (known.size >= limit) known.delete(known.keys().next().value!);
        known.set(key, value);
        return value;
      }
      // The order of use matters only when the cache fills up.
      if (2 * known.size > limit) {
        known.delete(key);
        known.set(key, found);
      }
      return found;
    },
  };
}
