// vai search and vai query take the number of results by the same letters.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

const folder = tempFolder('search-command');
const vai = commandsIn(folder);

before(async () => {
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  for (const name of ['ebb', 'flow', 'spring'])
    writeFileSync(join(docs, `${name}.md`), `# ${name}\n\nThe ${name} tide at the harbour.\n`);
  const { status, stderr } = await vai('ingest', docs, '--collection', 'tides');
  assert.equal(status, 0, stderr);
});

for (const command of ['search', 'query'])
  test(`vai ${command}: -k, -n and --limit are one option, and the last one counts`, async () => {
    const found = async (...flags: string[]): Promise<number> => {
      const { stdout } = await vai(command, 'harbour tide', '--format', 'raw', ...flags);
      return stdout.trim().split('\n').length;
    };
    assert.equal(await found(), 3);
    for (const flag of ['-k', '-n', '--limit']) assert.equal(await found(flag, '1'), 1, flag);
    assert.equal(await found('-n', '1', '-k', '2'), 2);
    assert.equal(await found('--limit', '2', '-n', '1'), 1);
    for (const flag of ['-k', '-n']) {
      const { status, stderr } = await vai(command, 'tide', flag, 'x');
      assert.equal(status, 2);
      assert.match(stderr, /--limit takes a whole number from 1 to (?:50|100)\./);
    }
    const foreign = await vai(command, 'tide', '--cursor', 'Mi5zb21ldGhpbmc');
    assert.equal(foreign.status, 2);
    assert.match(foreign.stderr, /does not belong to this search/);
  });

for (const command of ['search', 'query'])
  test(`vai ${command}: on a terminal, the verdict comes first, and what it means for a person`, async () => {
    const shown = commandsIn(folder, { terminal: true });
    const doubtful = await shown(command, 'which harbour tide renews an expired passport');
    assert.match(
      doubtful.stdout,
      /^Verdict: (weak\. No passage clearly|nothing_relevant\. Nothing here) .*\n\n1\. tides\//,
    );
    // What is said to a model is not said again.
    assert.doesNotMatch(doubtful.stdout, /Say so|relying on them/);
    const sure = await shown(command, 'ebb tide at the harbour');
    assert.match(sure.stdout, /^Verdict: answered\n\n1\. tides\/ebb\.md/);
  });
