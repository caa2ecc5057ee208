// What is said of a document whose file has changed since it was indexed: real folders, a real store.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { localCall, type Call } from '../../../src/engine/call.ts';
import { openBlz, type BlzFixture } from '../../support/blz-engine.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let blz: BlzFixture;
before(async () => {
  blz = await openBlz();
});
after(() => blz.close());

const call = localCall();
const remote: Call = { principal: { ...call.principal, id: 'key-1' } };
let made = 0;

/** A folder of three files in the home folder, ingested as a whole unless another path of it is named. */
async function folder(path = '.') {
  const name = `notes${(made += 1)}`;
  const root = join(blz.home, name);
  mkdirSync(join(root, 'sub'), { recursive: true });
  for (const file of ['a.md', 'sub/b.md']) writeFileSync(join(root, file), '# One\n\nText.\n');
  await blz.engine.ingest.files(call, { collection: name, paths: [join(root, path)] });
  const told = async (target: string, as = call) => {
    const { notices, snippets } = await blz.engine.cite.read(as, { citations: [`${name}/${target}:1-3`] });
    assert.equal(snippets.length, 1);
    return notices.map(({ code, message }) => [code, message]);
  };
  const edit = (file: string, text = '# Two\n\nMore text.\n') => writeFileSync(join(root, file), text);
  return { name, root, told, edit };
}

describe('a file that was ingested', () => {
  it('and is as it was, or was only touched, is not mentioned', async () => {
    const { root, told } = await folder();
    assert.deepEqual(await told('a.md'), []);
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(root, 'a.md'), later, later);
    assert.deepEqual(await told('a.md'), []);
  });

  it('and was edited is told, with what to run', async () => {
    const { name, root, told, edit } = await folder();
    edit('a.md');
    const message = `The file of \`${name}/a.md\` has changed on disk since it was indexed; this is the text that was indexed.`;
    const command = ` \`vai ingest ~/${name} --collection ${name}\` brings it up to date.`;
    assert.deepEqual(await told('a.md'), [['changed_on_disk', message + command]]);
    assert.deepEqual(await told('a.md', remote), [['changed_on_disk', message]]);
    assert.deepEqual(await told('sub/b.md'), []);
    await blz.engine.ingest.files(call, { collection: name, paths: [root] });
    assert.deepEqual(await told('a.md'), []);
  });

  it('and was edited without a change of size is known by its hash', async () => {
    const { root, told, edit } = await folder();
    edit('a.md', '# Two\n\nText.\n');
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(root, 'a.md'), later, later);
    assert.equal((await told('a.md'))[0]![0], 'changed_on_disk');
  });

  it('and is gone is told, unless its whole folder is', async () => {
    const { name, root, told } = await folder();
    rmSync(join(root, 'sub'), { recursive: true });
    assert.deepEqual(await told('sub/b.md'), [
      [
        'gone_from_disk',
        `The file of \`${name}/sub/b.md\` is gone from disk; this is the text that was indexed. \`vai ingest ~/${name} --collection ${name} --sync\` removes it.`,
      ],
    ]);
    rmSync(root, { recursive: true });
    assert.deepEqual(await told('a.md'), []);
  });

  it('by its own name is looked at, and what lies beside it is not', async () => {
    const { name, told, edit } = await folder('sub/b.md');
    assert.deepEqual(await told('b.md'), []);
    edit('sub/b.md');
    assert.match((await told('b.md'))[0]![1]!, new RegExp(`vai ingest ~/${name}/sub/b\\.md --collection`));
  });

  it('by its own name and is gone is removed by the name of its document', async () => {
    const { root, told } = await folder('sub/b.md');
    rmSync(join(root, 'sub/b.md'));
    assert.match((await told('b.md'))[0]![1]!, / `vai remove notes\d+\/b\.md` removes it\.$/);
  });

  it('is told with a command only where that can be run as it stands', async () => {
    const other = tempFolder('other');
    const odd = '$(touch x) y.md';
    writeFileSync(join(other, 'a.md'), '# One\n\nText.\n');
    writeFileSync(join(other, odd), '# One\n\nText.\n');
    await blz.engine.ingest.files(call, { collection: 'other', paths: [other] });
    await blz.engine.ingest.files(call, { collection: 'odd', paths: [join(other, odd)] });
    for (const file of ['a.md', odd]) writeFileSync(join(other, file), '# Two\n\nMore text.\n');
    const told = async (citation: string, as: Call) =>
      (await blz.engine.cite.read(as, { citations: [citation] })).notices[0]!.message;
    const terminal: Call = { ...call, atTerminal: true };
    assert.match(await told('other/a.md:1', call), /indexed\. Ingesting it again brings it up to date\.$/);
    assert.ok((await told('other/a.md:1', terminal)).includes(`\`vai ingest ${other} --collection other\``));
    assert.match(
      await told(`odd/${odd}:1`, terminal),
      /indexed\. Ingesting it again brings it up to date\.$/,
    );
  });

  it('is found where its folder was once given alone and once beside another', async () => {
    const { name, root, told, edit } = await folder('sub');
    const paths = [join(root, 'sub'), join(root, 'a.md')];
    await blz.engine.ingest.files(call, { collection: name, paths });
    assert.deepEqual(await told('sub/b.md'), []);
    edit('sub/b.md');
    assert.equal((await told('sub/b.md'))[0]![0], 'changed_on_disk');
  });
});

it('nothing is read that was not ingested', async () => {
  const { name, root, told } = await folder();
  const secret = join(blz.home, `secret${made}`);
  writeFileSync(secret, 'A secret of some length.');
  rmSync(join(root, 'a.md'));
  symlinkSync(secret, join(root, 'a.md'));
  assert.deepEqual(await told('a.md'), [], 'a link that leaves the folder');
  const text = { collection: name, source: `../${name}/sub/c.md`, text: 'A note.\nOf three\nlines.\n' };
  await blz.engine.ingest.text(call, text);
  assert.deepEqual(await told(`../${name}/sub/c.md`), [], 'a text that came from no file');
});

it('a source and the texts of a project are brought up to date in their own way', async () => {
  const root = join(blz.home, 'handbook');
  mkdirSync(root);
  writeFileSync(join(root, 'a.md'), '# A\n');
  writeFileSync(join(blz.home, 'style.md'), '# Style\n\nShort lines.\n');
  await blz.engine.docs.add(call, { alias: 'handbook', path: root });
  await blz.engine.docs.add(call, { alias: 'style', path: join(blz.home, 'style.md') });
  writeFileSync(join(root, 'a.md'), '# Another\n');
  writeFileSync(join(blz.home, 'style.md'), '# Style\n\nLong lines.\n');
  const told = async (citation: string) =>
    (await blz.engine.cite.read(call, { citations: [citation] })).notices
      .map(({ message }) => message)
      .join();
  assert.match(await told('handbook/a.md:1'), /`blz update handbook` brings it up to date\.$/);
  assert.match(await told('style:1'), /The file of `style` has changed .* `blz update style` brings/);
  rmSync(join(blz.home, 'style.md'));
  assert.match(await told('style:1'), /gone from disk.* `blz remove style` removes it\.$/);
  const store = await blz.deps.stores.open('vai');
  const { name, edit } = await folder();
  await store.collections.change(name, (before) => before && { ...before, extra: { project: 'it' } });
  edit('a.md');
  assert.match(await told(`${name}/a.md:1`), /`vai sync` brings it up to date\.$/);
});

it('a file of another folder, ingested beside a source, is not missed in the folder of that', async () => {
  const root = join(blz.home, 'guide');
  const extra = join(blz.home, 'extra.md');
  mkdirSync(root);
  writeFileSync(join(root, 'a.md'), '# A\n');
  writeFileSync(extra, '# Extra\n');
  await blz.engine.docs.add(call, { alias: 'guide', path: root });
  await blz.engine.ingest.files(call, { collection: 'guide', paths: [extra] });
  const told = async () => (await blz.engine.cite.read(call, { citations: ['guide/extra.md:1'] })).notices;
  assert.deepEqual(await told(), []);
  rmSync(extra);
  assert.equal((await told())[0]!.code, 'gone_from_disk');
});

it('vai_get and the snippets of find say it once for each document', async () => {
  const { name, root } = await folder();
  renameSync(join(root, 'a.md'), join(root, 'c.md'));
  writeFileSync(join(root, 'a.md'), readFileSync(join(root, 'c.md'), 'utf8') + 'More.\n');
  const opened = await blz.engine.cite.open(call, { target: `${name}/a.md` });
  assert.ok(opened.kind === 'text' && opened.read.notices[0]?.code === 'changed_on_disk');
  const { value } = await blz.tool('find', { snippets: [`${name}/a.md:1`, `${name}/a.md:2-3`] });
  assert.deepEqual(
    value.notices.map(({ code }: { code: string }) => code),
    ['changed_on_disk'],
  );
});
