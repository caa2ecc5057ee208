import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

test('export writes over no file that was edited, unless it is told to', async () => {
  const folder = tempFolder('export');
  const vai = commandsIn(folder);
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(join(notes, `${name}.md`), `# ${name}\n`);
  assert.equal((await vai('ingest', notes, '--collection', 'team')).status, 0);
  const out = join(folder, 'out');
  const file = (name: string) => join(out, `${name}.md`);
  for (const _ of ['written', 'equal'])
    assert.match((await vai('export', 'team', 'out')).stderr, /^5 documents of team in out\.$/m);

  for (const name of ['b', 'c', 'd', 'e']) writeFileSync(file(name), 'mine\n');
  // The bytes count: what cannot be read as UTF-8 is not what was stored, even where it looks alike.
  writeFileSync(file('b'), Buffer.from('# b\xff\n', 'latin1'));
  const refused = await vai('export', 'team', 'out');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /out has files with another text: b\.md, c\.md, d\.md and 1 more\./);
  assert.match(refused.stderr, /--force/);
  assert.equal(readFileSync(file('c'), 'utf8'), 'mine\n');

  assert.equal((await vai('export', 'team', 'out', '--force')).status, 0);
  assert.equal(readFileSync(file('c'), 'utf8'), '# c\n');
});

test('export gives back every text to the last byte, so that over the files it came from it changes nothing', async () => {
  const folder = tempFolder('export-bytes');
  const vai = commandsIn(folder);
  const texts = {
    empty: '',
    open: 'no end',
    blank: '# A\n\ntext\n\n\n',
    windows: 'a\r\nb\r\n\r\n',
    one: '\n',
  };
  mkdirSync(join(folder, 'notes'));
  const file = (name: string) => join(folder, 'notes', `${name}.md`);
  for (const [name, text] of Object.entries(texts)) writeFileSync(file(name), text);
  assert.equal((await vai('ingest', join(folder, 'notes'), '--collection', 'team')).status, 0);
  assert.match((await vai('export', 'team', 'notes')).stderr, /^5 documents of team in notes\.$/m);
  for (const [name, text] of Object.entries(texts)) assert.equal(readFileSync(file(name), 'utf8'), text);

  assert.equal((await vai('export', 'none', 'out')).status, 3);
  const refused = await vai('export', 'team', 'notes/one.md');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /notes\/one\.md is a file\./);
});

test('a place that cannot be written to is named, with why', async () => {
  const folder = tempFolder('export-place');
  const vai = commandsIn(folder);
  writeFileSync(join(folder, 'a.md'), '# A\n');
  assert.equal((await vai('ingest', join(folder, 'a.md'), '--collection', 'team')).status, 0);
  mkdirSync(join(folder, 'out', 'a.md'), { recursive: true });
  for (const [args, said] of [
    [['export', 'team', 'out'], /a\.md: it is a folder\./],
    [['export', 'team', 'a.md/out'], /out: a part of the path is a file\./],
    [['export', 'team', 'a.md/out/deep'], /deep: a part of the path is a file\./],
    [['graph', 'export', 'team', '-o', 'none/g.json'], /none\/g\.json: there is no such file or folder\./],
    [['backup', 'none/x.db'], /none: there is no such file or folder\./],
  ] as const) {
    const { status, stderr } = await vai(...args);
    assert.equal(status, 2, stderr);
    assert.match(stderr, said);
  }
});

// Only Linux has /proc, a folder that takes no others.
test(
  'nothing hangs where no folder can be made',
  { skip: process.platform !== 'linux', timeout: 60_000 },
  async () => {
    const folder = tempFolder('export-proc');
    const vai = commandsIn(folder);
    writeFileSync(join(folder, 'a.md'), '# A\n');
    assert.equal((await vai('ingest', join(folder, 'a.md'), '--collection', 'team')).status, 0);
    const exported = await vai('export', 'team', '/proc/vai/deep');
    assert.equal(exported.status, 2);
    assert.match(exported.stderr, /\/proc\/vai: nothing can be written there\./);
    const copied = await vai('backup', '/proc/vai.db');
    assert.match(copied.stderr, /The backup cannot be written there\.\s+Choose another folder\.\n/);
    const kept = await commandsIn(folder, { home: '/proc/vai' })('ingest', join(folder, 'a.md'));
    assert.match(kept.stderr, /The data folder cannot be made\./);
  },
);
