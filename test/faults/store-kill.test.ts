// SIGKILL at fifty random points of an ingest: each time the database is sound and holds only whole documents.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteStores } from '../../src/stores/sqlite/stores.ts';
import { query, sha256 } from '../contract/fixtures.ts';
import { generated, markOf } from './generated.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KILLS = 50;
const LONGEST_MS = 80;

test('fifty kills during an ingest leave a sound database with whole documents', async () => {
  const home = tempFolder('kill');
  let written = 0;
  for (let round = 0; round < KILLS; round += 1) {
    await killedIngest(home, round);
    written += await verify(home);
  }
  assert.ok(written > KILLS, 'the ingests did write something');
});

async function killedIngest(home: string, round: number): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'writer.ts'), home, String(round * 1000)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  await sleep(Math.random() * LONGEST_MS);
  child.kill('SIGKILL');
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  assert.equal(signal, 'SIGKILL');
}

async function verify(home: string): Promise<number> {
  const stores = sqliteStores({ home, now: () => new Date() });
  const store = await stores.open('faults');
  assert.deepEqual(await store.check(), { ok: true, problems: [] });
  const { documents } = await store.documents.list('docs', { limit: 100 });
  for (const info of documents) {
    const version = info.metadata['version'] as number;
    const expected = generated(info.path, version);
    assert.equal(await store.documents.text('docs', info.path), expected.text);
    assert.equal(info.sha256, sha256(expected.text));
    const chunks = await store.documents.chunks('docs', info.path);
    assert.deepEqual(
      chunks.map((chunk) => chunk.text),
      expected.chunks.map((chunk) => chunk.text),
    );
    const mark = query([markOf(info.path, version)]);
    const hits = await store.search.words({ query: mark, scope: {}, limit: 100 });
    assert.equal(hits.hits.length, expected.chunks.length);
    const vectors = await store.search.vectorsOf(chunks.map((chunk) => chunk.id));
    assert.equal(vectors.size, expected.chunks.length);
  }
  await stores.close();
  return documents.length;
}
