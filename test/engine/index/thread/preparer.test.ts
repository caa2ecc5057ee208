// Preparing ahead in a thread: the same as without, also when the thread is ended, dies or cannot start.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { BLOCK_PROFILE } from '../../../../src/domain/chunk.ts';
import { VaiError } from '../../../../src/domain/errors.ts';
import { MAX_TEXT, prepareDocument } from '../../../../src/engine/index/prepare.ts';
import { createPreparer, type Preparer } from '../../../../src/engine/index/thread/preparer.ts';
import type { DocumentInput } from '../../../../src/engine/index/types.ts';

const AT_ONCE = { minCharacters: 0, minDocuments: 1 };
let folder: string;

before(() => (folder = mkdtempSync(join(tmpdir(), 'vai-preparer-'))));
after(() => rmSync(folder, { recursive: true, force: true }));

const input = (
  at: number,
  text = `# Page ${at}\n\nThe useState hook of Ada Lovelace, ${at}.\n`,
): DocumentInput => ({
  collection: 'docs',
  path: `${at}.md`,
  read: { text, syntax: 'markdown', metadata: { at } },
  rawSha256: 'ab',
  fetchedAt: '2026-01-01T00:00:00.000Z',
  profile: BLOCK_PROFILE,
});

const inputs = Array.from({ length: 40 }, (_, at) => input(at));

async function preparesAlike(preparer: Preparer, between?: () => Promise<void>): Promise<void> {
  for (const one of inputs) preparer.begin(one);
  await between?.();
  for (const one of inputs) {
    const prepared = await preparer.prepare(one);
    const alone = prepareDocument(one);
    assert.deepEqual(prepared.write, alone.write);
    assert.deepEqual(prepared.texts, alone.texts);
  }
}

function program(name: string, source: string): URL {
  writeFileSync(join(folder, name), source);
  return pathToFileURL(join(folder, name));
}

test('a thread gives what this thread gives', async () => {
  const preparer = createPreparer(AT_ONCE);
  await preparesAlike(preparer);
  await preparer.close();
});

test('a thread that is sure to be needed starts before the first text', async () => {
  const file = program(
    'starts.mjs',
    `import { BroadcastChannel } from 'node:worker_threads';
     new BroadcastChannel('vai-test-started').postMessage('started');`,
  );
  const channel = new BroadcastChannel('vai-test-started');
  const started = once(channel, 'message', { signal: AbortSignal.timeout(20_000) });
  const preparer = createPreparer({ expected: Array.from({ length: 8 }, () => 100_000), file });
  await started;
  channel.close();
  await preparer.close();
});

test('little work starts no thread', async () => {
  const file = program('never.mjs', 'throw new Error("started");');
  const preparer = createPreparer({ file });
  await preparesAlike(preparer);
  await preparer.close();
});

test('what was begun is prepared here when the thread is ended', async () => {
  const preparer = createPreparer(AT_ONCE);
  await preparesAlike(preparer, () => preparer.close());
});

test('what was begun is prepared here when the thread dies in the middle', async () => {
  const file = program(
    'dies.mjs',
    `import { parentPort } from 'node:worker_threads';
     let left = 7;
     parentPort.on('message', (tasks) => {
       for (const { number } of tasks) {
         if (left-- === 0) process.exit(3);
         parentPort.postMessage([{ number, packed: undefined }]);
       }
     });`,
  );
  const preparer = createPreparer({ ...AT_ONCE, file });
  await preparesAlike(preparer);
  await preparer.close();
});

test('a thread that throws, or cannot be started, is done without', async () => {
  const broken = createPreparer({ ...AT_ONCE, file: program('throws.mjs', 'throw new Error("no");') });
  await preparesAlike(broken);
  await broken.close();
  const missing = createPreparer({ ...AT_ONCE, file: pathToFileURL(join(folder, 'missing.mjs')) });
  await preparesAlike(missing);
  await missing.close();
  const refused = createPreparer({ ...AT_ONCE, file: new URL('https://thread.example/worker.js') });
  await preparesAlike(refused);
  await refused.close();
});

test('a text that cannot be prepared is refused with its reason', async () => {
  const preparer = createPreparer(AT_ONCE);
  const long = input(1, 'x'.repeat(MAX_TEXT + 1));
  const bad = { ...input(2), profile: { ...BLOCK_PROFILE, size: 1 } };
  preparer.begin(long);
  preparer.begin(bad);
  const code = (expected: string) => (error: unknown) => error instanceof VaiError && error.code === expected;
  await assert.rejects(preparer.prepare(long), code('TOO_LARGE'));
  await assert.rejects(preparer.prepare(bad), code('INVALID_INPUT'));
  await preparer.close();
});
