import assert from 'node:assert/strict';
import fs, { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { SILENT } from '../../../src/server/log.ts';
import { auditCalls, openAudit } from '../../../src/server/audit/audit.ts';
import { createChain, verifyChains, type Chain } from '../../../src/server/audit/chain.ts';
import { setAside } from '../../../src/server/rotating-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('audit');

/** The next line of a chain that is written without trouble. */
const link = (chain: Chain, record: Record<string, unknown>): string => {
  let made = '';
  chain.link(record, (line) => (made = line));
  return made;
};

describe('the chain', () => {
  const lines = (): string[] => {
    const [one, two] = [createChain(), createChain()];
    return [
      link(one, { a: 1 }),
      link(two, { a: 2 }),
      link(one, { a: 3 }),
      link(one, { a: 4 }),
      link(two, { a: 5 }),
    ];
  };

  it('holds across several processes in one file, and across several files', () => {
    const all = lines();
    assert.deepEqual(verifyChains([all.join('')]), { lines: 5, chains: 2, breaks: [] });
    assert.deepEqual(verifyChains([all.slice(0, 2).join(''), all.slice(2).join('')]).breaks, []);
    assert.deepEqual(verifyChains([all.slice(2).join('')]).breaks, [], 'older files may be gone');
  });

  it('shows what was changed, taken out or put in', () => {
    const problems = (change: (all: string[]) => string[]) =>
      verifyChains([change(lines()).join('')]).breaks.map(({ line, problem }) => `${line} ${problem}`);
    assert.equal(problems((all) => all.map((line) => line.replace('"a":3', '"a":9')))[0], '3 was changed');
    assert.deepEqual(
      problems((all) => all.filter((_, at) => at !== 2)),
      ['3 follows line 1 of its chain as line 3: lines are missing'],
    );
    assert.deepEqual(
      problems((all) => [...all, '{"event":"call"}\n']),
      ['6 is not a line of an audit log'],
    );
    const forged = lines();
    const mine = createChain();
    const chain = (JSON.parse(forged[0]!) as { chain: string }).chain;
    const put = link(mine, { a: 'x' }).replace(/"chain":"[0-9a-f]+"/, `"chain":"${chain}"`);
    assert.ok(verifyChains([[forged[0], put, ...forged.slice(1)].join('')]).breaks.length > 0);
  });
});

describe('the audit log', () => {
  it('on a full disk keeps no half line, and its chain goes on once there is room', (context) => {
    const file = join(folder, 'full', 'audit.log');
    const audit = openAudit(file, SILENT, () => new Date(0));
    audit.write('key', { action: 'made' });
    const { writeSync } = fs;
    const full = context.mock.method(fs, 'writeSync', (descriptor: number, bytes: Buffer) => {
      writeSync(descriptor, bytes.subarray(0, 20));
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    assert.throws(() => audit.write('key', { action: 'revoked' }), { code: 'WRITE_FAILED' });
    audit.note('done', { ok: true });
    assert.equal(full.mock.callCount(), 2);
    full.mock.restore();
    syncBuiltinESMExports();
    audit.write('key', { action: 'rotated' });
    const text = readFileSync(file, 'utf8');
    assert.deepEqual(verifyChains([text]), { lines: 2, chains: 1, breaks: [] });
    assert.match(text, /made.*\n.*rotated/);
  });

  it('writes a call before it runs and how it ended, reads only on request', () => {
    const file = join(folder, 'a', 'audit.log');
    const audit = openAudit(file, SILENT, () => new Date(0));
    const caller = { key: 'k', address: '::1' };
    const call = auditCalls(audit, caller, { reads: false, now: () => 5 });
    call({ tool: 'find', scope: 'read', touched: {} })(true);
    const end = call({ tool: 'vai_ingest', scope: 'write', touched: { collection: 'notes' } });
    assert.equal(readFileSync(file, 'utf8').split('\n').length, 2, 'before it has ended');
    end(false);
    auditCalls(audit, caller, { reads: true, now: () => 5 })({ tool: 'find', scope: 'read', touched: {} })(
      true,
    );
    const events = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      events.map(({ event, tool, ok }) => [event, tool, ok]),
      [
        ['call', 'vai_ingest', undefined],
        ['done', 'vai_ingest', false],
        ['call', 'find', undefined],
        ['done', 'find', true],
      ],
    );
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('stops a call that cannot be recorded', () => {
    const file = join(folder, 'blocked');
    writeFileSync(file, '');
    const audit = openAudit(join(file, 'audit.log'), SILENT, () => new Date());
    assert.throws(
      () => audit.write('call', {}),
      (error) => error instanceof VaiError && error.code === 'WRITE_FAILED',
    );
    audit.note('done', {});
    chmodSync(file, 0o600);
  });

  it('is rotated when it has grown, keeps the newest files, and the chain goes on', () => {
    const file = join(folder, 'b', 'audit.log');
    let time = 0;
    const audit = openAudit(file, SILENT, () => new Date((time += 1000)), { maxBytes: 1_000, keep: 3 });
    for (let at = 0; at < 40; at += 1) audit.write('call', { at });
    assert.equal(setAside(file).length, 3);
    assert.equal(readdirSync(join(folder, 'b')).length, 4);
    const texts = [...setAside(file), file].map((one) => readFileSync(one, 'utf8'));
    assert.ok(texts.every((text) => text.length <= 1_000));
    assert.deepEqual(verifyChains(texts).breaks, []);
  });
});
