import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCollections } from '../../../src/cli/doctor/knowledge.ts';
import type { Frame } from '../../../src/cli/frame.ts';

test('an ingest that was stopped is a warning with the command that goes on', async () => {
  const run = { startedAt: '2026-03-01T00:00:00.000Z', files: 12 };
  const whole = { name: 'whole', stats: {}, indexes: [] };
  const engine = {
    collections: { list: async () => ({ collections: [whole, { ...whole, name: 'half', run }] }) },
  };
  const frame = { engine: async () => engine, call: () => ({}) } as unknown as Frame;
  const findings = await checkCollections(frame);
  assert.deepEqual(
    findings.map(({ state, fix }) => [state, fix]),
    [['warning', 'vai ingest <folder> --collection half']],
  );
  assert.match(
    findings[0]!.message,
    /^half: an ingest of 12 files that began 2026-03-01\S+ has not ended\.$/,
  );
});
