// Folders that a key may add: those the operator opened, nothing beside, above or hidden in them.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LOCAL, localCall, type AccessScope, type Call } from '../../../src/engine/call.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('open');
let temp: TempEngine;

const as = (scopes: readonly AccessScope[], collections: '*' | string[] = '*'): Call => ({
  principal: { ...LOCAL, id: 'key', scopes, collections },
});
const owner = as(['read', 'write', 'admin']);

before(async () => {
  for (const part of ['open/handbook', 'open/.git', 'closed', 'open-not', 'open/home'])
    mkdirSync(join(folder, part), { recursive: true });
  for (const part of ['open/handbook', 'open/.git', 'closed', 'open-not'])
    writeFileSync(join(folder, part, 'page.md'), '# Herons\n\nHerons wade.\n');
  symlinkSync(join(folder, 'closed'), join(folder, 'open/leads-out'));
  symlinkSync(join(folder, 'open/handbook'), join(folder, 'open/leads-in'));
  temp = await tempEngine({
    home: join(folder, 'open/home'),
    flags: { openFolders: [join(folder, 'open')] },
  });
});
after(() => temp.close());

const add = (call: Call, path: string, alias = 'birds') =>
  temp.engine.docs.add(call, { alias, path, force: true });
const refused = (code: string) => (error: { code?: string; message: string }) => {
  assert.equal(error.code, code);
  assert.ok(!error.message.includes(folder), 'names no path of this machine');
  return true;
};

describe('open folders', () => {
  it('are added by path or by the name they are shown under', async () => {
    assert.deepEqual(await temp.engine.docs.openFolders(owner), [
      { path: 'open', inside: ['open/handbook', 'open/home'], more: false },
    ]);
    for (const path of [
      join(folder, 'open/handbook'),
      'open/handbook',
      join(folder, 'open/../open/handbook/'),
      'open/leads-in',
    ]) {
      const { metadata } = await add(owner, path);
      assert.equal(metadata.totalLines, 3, path);
    }
  });

  it('what lies beside, above or hidden, leads out, or is the server’s own is refused alike', async () => {
    const answers = new Set<string>();
    for (const path of [
      join(folder, 'closed'),
      join(folder, 'not-there'),
      join(folder, 'open-not'),
      join(folder, 'open/../closed'),
      'open/../closed',
      'open/leads-out',
      'open/.git',
      'open/home',
      'open',
      folder,
      '/',
      'handbook',
      '~',
    ])
      await assert.rejects(add(owner, path), (error: { code: string; message: string }) => {
        answers.add(error.message);
        return refused('NOT_ALLOWED')(error);
      });
    assert.equal(answers.size, 1);
    await assert.rejects(add(owner, 'open/missing'), refused('FILE_UNREADABLE'));
  });

  it('are for keys that may do everything', async () => {
    for (const call of [as(['read']), as(['read', 'write']), as(['read', 'write', 'admin'], ['birds'])]) {
      await assert.rejects(add(call, 'open/handbook'), refused('NOT_ALLOWED'));
      await assert.rejects(temp.engine.docs.openFolders(call), refused('NOT_ALLOWED'));
    }
  });

  it('none is open unless the operator says so; the command line is not held back', async () => {
    const plain = await tempEngine();
    try {
      assert.deepEqual(await plain.engine.docs.openFolders(owner), []);
      const request = { alias: 'birds', path: join(folder, 'open/handbook') };
      await assert.rejects(plain.engine.docs.add(owner, request), refused('NOT_ALLOWED'));
      assert.equal((await plain.engine.docs.add(localCall(), request)).alias, 'birds');
    } finally {
      await plain.close();
    }
  });
});

it('two of one name are told apart by the folder above', async () => {
  const twins = ['a/docs', 'b/docs'].map((part) => join(folder, part));
  for (const [at, twin] of twins.entries()) {
    mkdirSync(twin, { recursive: true });
    writeFileSync(join(twin, 'page.md'), `# Page\n${'\nline\n'.repeat(at + 1)}`);
  }
  const both = await tempEngine({ flags: { openFolders: twins } });
  try {
    const shown = await both.engine.docs.openFolders(owner);
    assert.deepEqual(
      shown.map(({ path }) => path),
      ['a/docs', 'b/docs'],
    );
    const { metadata } = await both.engine.docs.add(owner, { alias: 'second', path: 'b/docs' });
    assert.equal(metadata.totalLines, 5);
  } finally {
    await both.close();
  }
});
