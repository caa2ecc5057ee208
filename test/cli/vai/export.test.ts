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
