// The keys in force, as the config file changes under a running server.

import assert from 'node:assert/strict';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SILENT } from '../../../src/server/log.ts';
import { digestOf, idOf, readEntry } from '../../../src/server/keys/entry.ts';
import { keyRing, liveKeys, readKeys } from '../../../src/server/keys/live.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = tempFolder('live-keys');

const [ONE, TWO, FIXED] = ['1', '2', '3'].map((digit) => digit.repeat(24)) as [string, string, string];

let count = 0;
function serving(environmentKeys: string[] = []) {
  const file = join(root, `config${++count}.json`);
  const lines: [text: string, data?: unknown][] = [];
  const keys = liveKeys({
    file,
    environmentKeys,
    log: {
      ...SILENT,
      debug: (...line) => void lines.push(line),
      warn: (...line) => void lines.push(line),
    },
  });
  return {
    file,
    write: (config: unknown) =>
      writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config)),
    /** Which of the keys open the server. */
    open() {
      const ring = keys.current();
      return [ONE, TWO, FIXED].filter((key) => ring.find(digestOf(key)));
    },
    /** What was logged since the last time. */
    logged: () => lines.splice(0),
  };
}

describe('keys in force', () => {
  it('are those of the file as it is at the request', () => {
    const server = serving();
    server.write({ 'mcp-server-keys': [ONE] });
    assert.deepEqual(server.open(), [ONE]);
    server.write({ 'mcp-server-keys': [ONE, TWO] });
    assert.deepEqual(server.open(), [ONE, TWO]);
    server.write({ 'mcp-server-keys': [TWO] });
    assert.deepEqual(server.open(), [TWO]);
  });

  it('are read again when another file of the same size is in its place', () => {
    const server = serving();
    server.write({ 'mcp-server-keys': [ONE] });
    utimesSync(server.file, 1, 1);
    assert.deepEqual(server.open(), [ONE]);
    server.write({ 'mcp-server-keys': [TWO] });
    utimesSync(server.file, 2, 2);
    assert.deepEqual(server.open(), [TWO]);
  });

  it('are read once while the file stays the same', () => {
    const server = serving();
    server.write({ 'mcp-server-keys': [ONE] });
    server.open();
    assert.deepEqual(server.logged(), [['keys read', { count: 1 }]]);
    server.open();
    assert.deepEqual(server.logged(), []);
  });

  it('end with the file; those of the environment stay', () => {
    const server = serving([FIXED, 'too short']);
    assert.deepEqual(server.open(), [FIXED]);
    server.write({ 'mcp-server-keys': [ONE] });
    assert.deepEqual(server.open(), [ONE, FIXED]);
    rmSync(server.file);
    assert.deepEqual(server.open(), [FIXED]);
    assert.equal(server.logged().filter(([text]) => text !== 'keys read').length, 0);
  });

  it('stay while the file cannot be read, and a warning says so once', () => {
    for (const broken of ['{"mcp-server-keys": [', 'null', '7']) {
      const server = serving();
      server.write({ 'mcp-server-keys': [ONE] });
      server.open();
      server.logged();
      server.write(broken);
      assert.deepEqual(server.open(), [ONE], broken);
      assert.deepEqual(server.open(), [ONE]);
      assert.deepEqual(server.logged(), [
        ['the config file cannot be read; the keys known before stay in force'],
      ]);
      assert.equal(readKeys(server.file), undefined);
    }
  });

  it('are none where the list is missing or no list', () => {
    for (const config of [{}, { 'mcp-server-keys': ONE }, { 'mcp-server-keys': { 0: ONE } }]) {
      const server = serving();
      server.write(config);
      assert.deepEqual(server.open(), []);
      assert.deepEqual(server.logged(), [['keys read', { count: 0 }]]);
    }
  });

  it('leave out what is malformed, and a warning counts it', () => {
    const server = serving();
    server.write({ 'mcp-server-keys': [ONE, 'short', { sha256: 'zz' }, TWO] });
    assert.deepEqual(server.open(), [ONE, TWO]);
    assert.deepEqual(server.logged(), [
      ['keys read', { count: 2 }],
      ['malformed and too short keys in the config file are ignored', { count: 2 }],
    ]);
    server.write({ 'mcp-server-keys': [ONE, 'short'] });
    server.open();
    assert.deepEqual(server.logged()[1], [
      'malformed and too short keys in the config file are ignored',
      { count: 1 },
    ]);
  });

  it('are found by their digest and by their id', () => {
    const ring = keyRing([readEntry(ONE)!, readEntry(TWO)!]);
    assert.equal(ring.size, 2);
    assert.deepEqual(ring.find(digestOf(TWO)), readEntry(TWO));
    assert.equal(ring.find(digestOf(FIXED)), undefined);
    assert.deepEqual(ring.byId(idOf(digestOf(TWO))), readEntry(TWO));
    assert.equal(ring.byId('nobody'), undefined);
  });
});
