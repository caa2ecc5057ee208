// vai doctor on homes that are well and homes that are not: each problem named, each with what mends it.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { sandbox, type Sandbox } from '../../support/cli.ts';

let box: Sandbox;
beforeEach(() => (box = sandbox()));
afterEach(() => box.remove());

async function doctor(): Promise<{ status: number | null; ok: boolean; findings: Finding[] }> {
  const run = await box.run('vai', ['doctor', '--json']);
  return { status: run.status, ...(JSON.parse(run.stdout) as { ok: boolean; findings: Finding[] }) };
}

test('an empty home is well, and is told what to do first', async () => {
  const report = await doctor();
  assert.equal(report.status, 0);
  assert.equal(report.ok, true);
  assert.ok(report.findings.some(({ about, fix }) => about === 'index' && fix === 'vai ingest <folder>'));
  assert.ok(report.findings.some(({ message }) => /builtin-embed-1 works/.test(message)));
});

test('a broken config, a damaged database and a stale client are each a problem with a way out', async () => {
  mkdirSync(join(box.home, 'data'), { recursive: true });
  writeFileSync(join(box.home, 'data', 'vai.db'), 'x'.repeat(8192));
  mkdirSync(join(box.folder, '.cursor'));
  writeFileSync(
    join(box.folder, '.cursor', 'mcp.json'),
    JSON.stringify({ mcpServers: { vai: { command: '/gone/node', args: [] } } }),
  );
  const report = await doctor();
  assert.equal(report.status, 1);
  const problems = report.findings.filter(({ state }) => state === 'problem');
  assert.ok(problems.some(({ about }) => about === 'store'));
  assert.ok(problems.some(({ about, fix }) => about === 'clients' && fix === 'vai setup cursor'));
  writeFileSync(join(box.home, 'config.json'), '{ "store": ');
  const worse = await doctor();
  assert.ok(
    worse.findings.some(
      ({ about, state, message }) => about === 'config' && state === 'problem' && /line/.test(message),
    ),
  );
  assert.doesNotMatch(JSON.stringify(worse), new RegExp(box.folder));
});

test(
  'files that others can read are a warning',
  { skip: process.platform === 'win32' && 'no such modes there' },
  async () => {
    mkdirSync(box.home, { mode: 0o755 });
    chmodSync(box.home, 0o755);
    const report = await doctor();
    assert.ok(
      report.findings.some(
        ({ about, state, fix }) => about === 'permissions' && state === 'warning' && /^chmod/.test(fix ?? ''),
      ),
    );
  },
);
