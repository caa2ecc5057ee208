// Answers of paid calls, kept by key; the oldest go first.

import type { Cache } from '../../ports/store.ts';
import type { Connection } from './connection.ts';

export function createCache({ sql, read, write }: Connection): Cache {
  return {
    async get(namespace, keys) {
      return read(() => {
        const found = new Map<string, Uint8Array>();
        const one = sql<{ value: Uint8Array }>('SELECT value FROM cache WHERE namespace = ? AND key = ?');
        for (const key of keys) {
          const row = one.get(namespace, key);
          if (row) found.set(key, row.value);
        }
        return found;
      });
    },
    async put(namespace, entries) {
      if (entries.size === 0) return;
      await write(() => {
        const one = sql('INSERT OR REPLACE INTO cache (namespace, key, value) VALUES (?, ?, ?)');
        for (const [key, value] of entries) one.run(namespace, key, value);
      });
    },
    async trim(namespace, maxBytes) {
      await write(() => {
        sql(
          `DELETE FROM cache WHERE namespace = ?1 AND id <= coalesce((SELECT id FROM
             (SELECT id, sum(length(value) + length(key)) OVER (ORDER BY id DESC) AS total
              FROM cache WHERE namespace = ?1)
           WHERE total > ?2 ORDER BY id DESC LIMIT 1), 0)`,
        ).run(namespace, maxBytes);
      });
    },
  };
}
