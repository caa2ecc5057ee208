// Answers of paid calls, kept by key; the oldest go first.

import { Binary } from 'mongodb';
import { inGroups } from '../../domain/few-at-a-time.ts';
import type { Cache } from '../../ports/store.ts';
import type { Database } from './database.ts';
import { nextOrder } from './versions.ts';

const BATCH = 500;

export function createCache(database: Database): Cache {
  const { limits } = database;
  const cache = () => database.own('cache');
  return {
    get: (namespace, keys) =>
      database.read(async () => {
        const found = new Map<string, Uint8Array>();
        for (const batch of inGroups(keys, BATCH)) {
          const rows = cache().find({ namespace, key: { $in: batch } }, limits);
          for await (const row of rows) found.set(row.key, Uint8Array.from(row.value.value()));
        }
        return found;
      }),
    put: (namespace, entries) =>
      database.write(async () => {
        for (const batch of inGroups([...entries], BATCH)) {
          await cache().bulkWrite(
            batch.map(([key, value]) => ({
              updateOne: {
                filter: { namespace, key },
                update: {
                  $set: {
                    value: new Binary(value),
                    bytes: value.length + key.length,
                    order: nextOrder(database),
                  },
                },
                upsert: true,
              },
            })),
            { ordered: false },
          );
        }
      }),
    trim: (namespace, maxBytes) =>
      database.write(async () => {
        let total = 0;
        const rows = cache()
          .find({ namespace }, { ...limits, projection: { bytes: 1, order: 1 } })
          .sort({ order: -1 });
        for await (const row of rows) {
          total += row.bytes;
          if (total <= maxBytes) continue;
          await cache().deleteMany({ namespace, order: { $lte: row.order } });
          return;
        }
      }),
  };
}
