import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CollectionStats } from '../../../src/domain/collection.ts';
import { LOCAL } from '../../../src/engine/call.ts';
import { requireStorage } from '../../../src/engine/index/storage-limits.ts';
import type { Store } from '../../../src/ports/store.ts';

const limits = { chunks: 1000, bytes: 2000, collections: 3, spending: 0 };
const key = { ...LOCAL, id: 'key' };

function room(stats: { chunks: number; bytes: number } | undefined, collections = 0, caller = key) {
  const list = () => Promise.resolve(Array.from({ length: collections }, () => ({})));
  const existing = stats && { stats: stats as CollectionStats };
  return requireStorage({ collections: { list } } as unknown as Store, existing, { limits, caller });
}

it('a collection takes texts until it holds as much as it may', async () => {
  await room({ chunks: 999, bytes: 1999 });
  await assert.rejects(room({ chunks: 1000, bytes: 0 }), {
    code: 'STORE_FULL',
    message: 'This collection is full: it holds 1,000 chunks or more.',
  });
  await assert.rejects(room({ chunks: 0, bytes: 2000 }), {
    message: 'This collection is full: it holds 2,000 bytes or more.',
  });
  await room({ chunks: 0, bytes: 0 }, 3);
});

it('a database takes collections until it has as many as it may', async () => {
  await room(undefined, 2);
  await assert.rejects(room(undefined, 3), {
    code: 'STORE_FULL',
    message: 'This database has reached its limit of collections.',
  });
});

it('the command line, and a server without limits, take anything', async () => {
  await room({ chunks: 9999, bytes: 9999 }, 9, LOCAL);
  await requireStorage({} as Store, undefined, { limits: undefined, caller: key });
});
