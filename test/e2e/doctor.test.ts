// The doctor on homes that are well and homes that are not: each problem named, each with what mends it.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { startDocsServer, status } from '../support/docs-server.ts';

let box: Sandbox;
beforeEach(() => (box = sandbox()));
afterEach(() => box.remove());

async function doctor(): Promise<{ status: number | null; ok: boolean; findings: Finding[] }> {
  const run = await box.run('vai', ['doctor', '--json']);
  return { status: run.status, ...(JSON.parse(run.stdout) as { ok: boolean; findings: Finding[] }) };
}

test('an empty home is healthy, and doctor says what to do first', async () => {
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
  // What to type names the whole path; what is told does not.
  const told = worse.findings.map(({ message }) => message).join('\n');
  assert.doesNotMatch(told, new RegExp(box.folder));
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

test('blz doctor says the same, and what is to be done about a source', async () => {
  const server = await startDocsServer();
  try {
    server.set('/llms.txt', `# Guide\n\n${'A line that says something.\n\n'.repeat(40)}`);
    const env = { BLZ_ALLOW_PRIVATE: '1' };
    assert.equal((await box.run('blz', ['add', 'guide', `${server.origin}/llms.txt`], { env })).status, 0);
    const well = await box.run('blz', ['doctor', '--json']);
    assert.deepEqual(JSON.parse(well.stdout), JSON.parse((await box.run('vai', ['doctor'])).stdout));
    assert.match(well.stdout, /1 source, all up to date/);
    server.set('/llms.txt', '# Guide\n\nLittle is left.\n');
    await box.run('blz', ['update', 'guide'], { env });
    const held = JSON.parse((await box.run('blz', ['doctor'])).stdout) as {
      ok: boolean;
      findings: Finding[];
    };
    assert.equal(held.ok, true);
    const finding = held.findings.find(({ about }) => about === 'sources');
    assert.equal(finding?.state, 'warning');
    assert.equal(finding.fix, 'blz update guide --force');
    // And, as ever, how old and how whole everything is.
    const summary = held.findings.findLast(({ about }) => about === 'sources')!;
    assert.match(
      summary.message,
      /^1 source; the oldest check was 2\S+Z; 0 failed and 0 pending pages; oldest change not indexed: 2\S+Z\.$/,
    );
    server.set('/llms.txt', status(500));
    await box.run('blz', ['update', 'guide', '--force'], { env });
    assert.match((await box.run('vai', ['docs', 'doctor'])).stdout, /its last refresh failed/);
  } finally {
    await server.close();
  }
});
