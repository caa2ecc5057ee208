// vai_get and vai_delete: what a client with only this toolset needs to read on, look around and tidy up.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { vaiTools } from './support.ts';

const tools = await vaiTools();
const { call } = tools;
const get = (target: string, more: object = {}) => call('vai_get', { target, ...more });
const passage = async (target: string, more: object = {}) =>
  ((await get(target, more)).structured.passages as Record<string, unknown>[])[0]!;

const GUIDE = ['# Guide', '', 'Intro.', '', '## Pools', '', 'Ten connections.', '', '## Ends', '', 'Bye.'];

before(async () => {
  const add = (source: string, text: string) => call('vai_ingest', { source, text, collection: 'notes' });
  await add('guide.md', GUIDE.join('\n'));
  await add('long.md', Array.from({ length: 3000 }, (_, at) => `Line ${at + 1} of many.`).join('\n'));
});
after(() => tools.close());

test('the lines of a citation, its section, its document', async () => {
  const lines = await passage('notes/guide.md:7');
  assert.deepEqual(
    [lines['content'], lines['lines'], lines['totalLines'], lines['headingPath']],
    ['Ten connections.', '7', 11, ['Guide', 'Pools']],
  );
  assert.match(lines['citation'] as string, /^notes\/guide\.md:7@[0-9a-f]{8}$/);
  const section = await passage('notes/guide.md:7', { view: 'section' });
  assert.equal(section['content'], '## Pools\n\nTen connections.\n');
  for (const target of ['notes/guide.md', 'notes/guide.md:7'])
    assert.equal((await passage(target, { view: 'document' }))['content'], GUIDE.join('\n'));
  assert.match(
    (await get('notes/guide.md:7')).text,
    /<untrusted-[0-9a-f]+>\ncite: \S+\n\[Guide > Pools\]\nTen connections\.\n/,
  );
});

test('a long document is read on from where the answer ended', async () => {
  const first = await passage('notes/long.md');
  assert.match(first['content'] as string, /^Line 1 of many\.\n/);
  const next = await passage(first['next'] as string);
  const [begin] = String(next['lines']).split('-');
  assert.ok((first['content'] as string).endsWith(`Line ${Number(begin) - 1} of many.`));
  assert.equal((await get('notes/long.md')).structured.truncated, true);
});

test('an outline has the lines of each section', async () => {
  const { structured, text } = await get('notes/guide.md', { view: 'outline' });
  assert.deepEqual(structured.outline, [
    { level: 1, heading: 'Guide', lines: '1-11' },
    { level: 2, heading: 'Pools', lines: '5-8' },
    { level: 2, heading: 'Ends', lines: '9-11' },
  ]);
  assert.match(text, /3 headings in 11 lines/);
});

test('a collection lists its documents, page by page', async () => {
  for (let at = 100; at < 205; at += 1)
    await call('vai_ingest', { source: `n${at}`, text: `Note ${at}`, collection: 'many' });
  const targets: string[] = [];
  let cursor: unknown;
  do {
    const { structured } = await get('many', cursor ? { cursor } : {});
    targets.push(...(structured.documents as { target: string }[]).map(({ target }) => target));
    cursor = structured.cursor;
  } while (cursor);
  assert.equal(new Set(targets).size, 105);
  assert.equal(targets.length, 105);
  assert.match((await passage(targets[0]!))['content'] as string, /^Note 1/);
});

test('a collection of one document lists it; the name of a source that is one text opens the text', async () => {
  await call('vai_ingest', { source: 'only.md', text: '# Only\n\nOne text.', collection: 'single' });
  const { structured } = await get('single');
  assert.deepEqual(
    (structured.documents as { target: string }[]).map(({ target }) => target),
    ['single/only.md'],
  );
  const path = join(tempFolder('source'), 'style.md');
  writeFileSync(path, '# Style\n\nSay what a thing is.\n');
  await tools.engine.docs.add(localCall(), { alias: 'style', path });
  assert.match((await passage('style'))['content'] as string, /^# Style\n/);
});

test('an unknown name is answered with the nearest ones', async () => {
  await assert.rejects(get('notes/guid.md'), { code: 'DOCUMENT_NOT_FOUND', suggestions: ['notes/guide.md'] });
  await assert.rejects(get('nodes'), { code: 'COLLECTION_NOT_FOUND' });
  await assert.rejects(get('notes/guide.md:99'), { code: 'INVALID_CITATION' });
});

test('vai_delete removes one document, for admins only', async () => {
  const target = { collection: 'many', path: 'n100' };
  await assert.rejects(call('vai_delete', target, ['read', 'write']), { code: 'NOT_ALLOWED' });
  const { structured } = await call('vai_delete', target);
  assert.deepEqual(structured, { collection: 'many', documents: 1, chunks: 1 });
  await assert.rejects(get('many/n100'), { code: 'DOCUMENT_NOT_FOUND' });
  await assert.rejects(call('vai_delete', target), { code: 'DOCUMENT_NOT_FOUND' });
});

test('a search takes several collections, or a folder of one', async () => {
  await call('vai_ingest', { source: 'deep/pools.md', text: 'A pool of ten.', collection: 'papers' });
  await call('vai_ingest', { source: 'flat.md', text: 'A pool of two.', collection: 'papers' });
  const searched = async (collection: string) => {
    const { structured } = await call('vai_search', { query: 'pool', collection });
    const hits = structured.results as { citation: string }[];
    return [...new Set(hits.map(({ citation }) => citation.split(':')[0]))].sort();
  };
  assert.deepEqual(await searched('notes, papers'), [
    ...['notes/guide.md', 'notes/long.md', 'papers/deep/pools.md', 'papers/flat.md'],
  ]);
  assert.deepEqual(await searched('papers/deep'), ['papers/deep/pools.md']);
});
