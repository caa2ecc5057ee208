// Keys as a person handles them, on a real config file: make, list, limit, replace, revoke.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { digestOf, idOf, readEntry } from '../../../src/server/keys/entry.ts';
import {
  generateKey,
  keyRecord,
  limitKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../src/server/keys/manage.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = tempFolder('keys');

const NOW = new Date('2026-03-01T00:00:00.000Z');
const DAY = 86_400_000;
const later = (ms: number): string => new Date(NOW.getTime() + ms).toISOString();

let count = 0;
function place(stored: unknown[] = []) {
  const configPath = join(root, `config${++count}.json`);
  writeFileSync(configPath, JSON.stringify({ other: 'stays', 'mcp-server-keys': stored }));
  const changes: Record<string, unknown>[] = [];
  return {
    configPath,
    changes,
    audit: (change: Record<string, unknown>) => void changes.push(change),
    written: () => JSON.parse(readFileSync(configPath, 'utf8')) as Record<string, unknown>,
  };
}

const invalid = { code: 'INVALID_INPUT' };

describe('a new key', () => {
  it('is kept as a digest with what it was given, and told to the audit log first', async () => {
    const at = place(['x'.repeat(30)]);
    const { key, stored } = await generateKey(
      at,
      {
        name: 'CI',
        owner: 'ops',
        scopes: ['admin', 'read'],
        collections: ['docs'],
        rate: 30,
        spending: 2,
        channels: 'text',
        expires: '30d',
      },
      NOW,
    );
    assert.deepEqual(stored, {
      id: idOf(digestOf(key)),
      name: 'CI',
      owner: 'ops',
      scopes: ['read', 'admin'],
      collections: ['docs'],
      rate: 30,
      spending: 2,
      channels: 'text',
      expires: later(30 * DAY),
      created: NOW.toISOString(),
      sha256: digestOf(key).toString('hex'),
    });
    assert.deepEqual(at.changes, [
      {
        action: 'made',
        id: stored.id,
        name: 'CI',
        owner: 'ops',
        scopes: ['read', 'admin'],
        collections: ['docs'],
        expires: later(30 * DAY),
      },
    ]);
    const { other, 'mcp-server-keys': list } = at.written();
    assert.equal(other, 'stays');
    assert.deepEqual(list, ['x'.repeat(30), stored]);
    assert.ok(!JSON.stringify(at.written()).includes(key));
    assert.equal(listKeys(at.configPath).length, 2);
    assert.equal(listKeys(join(root, 'absent.json')).length, 0);
  });

  it('reads and writes everything when nothing is asked for', async () => {
    const at = place();
    const { stored } = await generateKey(at, {}, NOW);
    const { id, sha256, ...rest } = stored;
    assert.ok(id && sha256);
    assert.deepEqual(rest, {
      name: '',
      scopes: ['read', 'write'],
      collections: '*',
      created: NOW.toISOString(),
    });
    assert.deepEqual(at.changes, [
      { action: 'made', id, name: '', scopes: ['read', 'write'], collections: '*' },
    ]);
    assert.equal((await generateKey(at, { collections: ['*'], scopes: [] }, NOW)).stored.collections, '*');
  });

  it('is not made where the audit log fails', async () => {
    const at = place();
    const audit = () => {
      throw new Error('disk full');
    };
    await assert.rejects(generateKey({ ...at, audit }, {}, NOW), /disk full/);
    assert.deepEqual(at.written()['mcp-server-keys'], []);
  });

  it('is the first one where the file has no list of keys', async () => {
    for (const config of [{ other: 'stays' }, { other: 'stays', 'mcp-server-keys': 'nonsense' }]) {
      const at = place();
      writeFileSync(at.configPath, JSON.stringify(config));
      const { stored } = await generateKey(at, {}, NOW);
      assert.deepEqual(at.written(), { other: 'stays', 'mcp-server-keys': [stored] });
    }
  });

  it('refuses what it could not keep', async () => {
    const at = place();
    const refused = [
      { name: 'x'.repeat(101) },
      { name: 'a\nb' },
      { owner: 'a\u2028b' },
      { scopes: ['read', 'root'] },
      { collections: ['docs', '*'] },
      { channels: 'smoke' },
      { expires: 'soon' },
      { expires: '2026-02-28' },
      { expires: NOW.toISOString() },
      { expires: '12345d' },
      { expires: '3y' },
    ];
    for (const options of refused)
      await assert.rejects(generateKey(at, options, NOW), invalid, JSON.stringify(options));
    assert.deepEqual(at.changes, []);
    const long = 'z'.repeat(99);
    await assert.rejects(generateKey(at, { scopes: [long] }, NOW), {
      message: `\`${'z'.repeat(40)}\` is not a scope.`,
      hint: 'Choose from read, write, admin.',
    });
    await assert.rejects(generateKey(at, { channels: long }, NOW), {
      message: `\`channels\` cannot be \`${'z'.repeat(40)}\`.`,
      hint: 'Choose from both, text, structured.',
    });
    await generateKey(at, { name: 'x'.repeat(100), expires: '2026-03-02' }, NOW);
  });

  it('ends after hours, days or weeks', async () => {
    const at = place();
    const spans: [string, number][] = [
      ['12h', DAY / 2],
      ['1d', DAY],
      ['2w', 14 * DAY],
    ];
    for (const [expires, ms] of spans)
      assert.equal((await generateKey(at, { expires }, NOW)).stored.expires, later(ms), expires);
  });
});

describe('an old key', () => {
  it('is revoked by its id, however that is written', async () => {
    const at = place();
    const { stored } = await generateKey(at, { name: 'a' }, NOW);
    const other = await generateKey(at, { name: 'b' }, NOW);
    const gone = await revokeKey(at, stored.id.toUpperCase());
    assert.equal(gone.name, 'a');
    assert.deepEqual(at.changes.at(-1), { action: 'revoked', id: stored.id, name: 'a' });
    assert.deepEqual(
      listKeys(at.configPath).map(({ id }) => id),
      [other.stored.id],
    );
    await assert.rejects(revokeKey(at, stored.id), { code: 'UNKNOWN_KEY' });
    await assert.rejects(
      revokeKey(at, 'y'.repeat(50)),
      (thrown: Error) => thrown.message === `There is no key \`${'y'.repeat(40)}\`.`,
    );
  });

  it('is replaced by one with its rights and holds for a while', async () => {
    const at = place();
    const options = {
      name: 'CI',
      owner: 'ops',
      scopes: ['read'],
      collections: ['docs'],
      rate: 7,
      spending: 2,
      channels: 'structured',
      expires: '4w',
    };
    const { stored: old } = await generateKey(at, options, NOW);
    const { stored: bare } = await generateKey(at, {}, NOW);
    const { stored, until, key } = await rotateKey(at, { id: old.id, grace: '2d' }, NOW);
    assert.equal(until, later(2 * DAY));
    const { id, sha256, ...rights } = stored;
    const { id: _id, sha256: _sha256, ...before } = old;
    assert.deepEqual(rights, before);
    assert.equal(sha256, digestOf(key).toString('hex'));
    assert.notEqual(id, old.id);
    assert.deepEqual(at.changes.at(-1), {
      action: 'rotated',
      from: old.id,
      until,
      id,
      name: 'CI',
      owner: 'ops',
      scopes: ['read'],
      collections: ['docs'],
      expires: old.expires,
    });
    const kept = listKeys(at.configPath);
    assert.deepEqual(
      kept.map((entry) => [entry.id, entry.expires]),
      [
        [old.id, Date.parse(until)],
        [bare.id, undefined],
        [id, Date.parse(old.expires!)],
      ],
    );
    const again = await rotateKey(at, { id: bare.id, grace: '1h' }, NOW);
    assert.deepEqual(Object.keys(again.stored).sort(), [
      'collections',
      'created',
      'id',
      'name',
      'scopes',
      'sha256',
    ]);
    assert.equal(again.stored.collections, '*');
  });

  it('that ends sooner is not made to last', async () => {
    const at = place();
    const { stored } = await generateKey(at, { expires: '1h' }, NOW);
    await rotateKey(at, { id: stored.id, grace: '1d' }, NOW);
    assert.equal(listKeys(at.configPath)[0]!.expires, Date.parse(later(3_600_000)));
    const { stored: longer } = await generateKey(at, { expires: '2d' }, NOW);
    await rotateKey(at, { id: longer.id, grace: '1d' }, NOW);
    assert.equal(listKeys(at.configPath).find(({ id }) => id === longer.id)!.expires, Date.parse(later(DAY)));
  });

  it('gets other limits, and keeps what is not named', async () => {
    const at = place();
    const { stored } = await generateKey(at, { name: 'a', rate: 5, expires: '1d' }, NOW);
    const other = await generateKey(at, { name: 'b' }, NOW);
    const limited = await limitKey(at, { id: stored.id, scopes: ['read'], collections: ['docs'] }, NOW);
    assert.deepEqual(
      [limited.scopes, limited.collections, limited.rate, limited.expires],
      [['read'], ['docs'], 5, Date.parse(later(DAY))],
    );
    assert.deepEqual(at.changes.at(-1), {
      action: 'limited',
      id: stored.id,
      name: 'a',
      scopes: ['read'],
      collections: ['docs'],
    });
    const more = await limitKey(at, { id: stored.id, rate: 9, expires: '2d' }, NOW);
    assert.deepEqual([more.scopes, more.rate, more.expires], [['read'], 9, Date.parse(later(2 * DAY))]);
    const poorer = await limitKey(at, { id: stored.id, spending: 0 }, NOW);
    assert.deepEqual([poorer.rate, poorer.spending], [9, 0]);
    assert.deepEqual(at.changes.at(-1), { action: 'limited', id: stored.id, name: 'a', spending: 0 });
    assert.deepEqual((at.written()['mcp-server-keys'] as unknown[])[1], other.stored);
    await assert.rejects(limitKey(at, { id: stored.id, scopes: ['root'] }, NOW), invalid);
  });

  it('that was stored as text is kept as a digest once it is limited', async () => {
    const plain = 'k'.repeat(24);
    const at = place([plain]);
    const { id } = readEntry(plain)!;
    await limitKey(at, { id, scopes: ['read'] }, NOW);
    assert.deepEqual(at.written()['mcp-server-keys'], [
      { sha256: digestOf(plain).toString('hex'), scopes: ['read'] },
    ]);
  });
});

it('a record shows what a key may do and when it was used, never its digest', async () => {
  const at = place();
  await generateKey(at, { name: 'a' }, NOW);
  await generateKey(
    at,
    { name: 'b', owner: 'o', rate: 3, spending: 2, channels: 'both', expires: '1d', collections: ['docs'] },
    NOW,
  );
  const [bare, full] = listKeys(at.configPath);
  assert.deepEqual(keyRecord(bare!), {
    id: bare!.id,
    name: 'a',
    scopes: ['read', 'write'],
    collections: '*',
    created: NOW.toISOString(),
  });
  assert.deepEqual(keyRecord(full!, { lastUsed: '2026-03-02', spentToday: 0.5 }), {
    id: full!.id,
    name: 'b',
    owner: 'o',
    scopes: ['read', 'write'],
    collections: ['docs'],
    rate: 3,
    channels: 'both',
    expires: later(DAY),
    created: NOW.toISOString(),
    lastUsed: '2026-03-02',
    spentToday: 0.5,
    spending: 2,
  });
});
