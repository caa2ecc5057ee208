// What others change of a collection's record while its source is refreshed.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBlz, type BlzFixture } from '../../support/blz-engine.ts';
import { file } from '../../support/docs-server.ts';

let blz: BlzFixture;
before(async () => {
  blz = await openBlz();
});
after(() => blz.close());

const tagged = (name: string) => async () => {
  const store = await blz.deps.stores.open('vai');
  await store.collections.change(
    name,
    (before) => before && { ...before, tags: ['mine'], extra: { own: 1 } },
  );
};

/** Changes the record just before the server answers. */
async function updatedMeanwhile(name: string, text: string, force = false) {
  const path = `/${name}/llms.txt`;
  blz.server.set(path, '# A\n\nText about herons.\n');
  await blz.engine.docs.add(blz.call, { alias: name, url: `${blz.server.origin}${path}` });
  const change = tagged(name);
  blz.server.set(path, (request, response) => void change().then(() => file(text)(request, response)));
  const [result] = await blz.engine.docs.update(blz.call, { aliases: [name], force });
  const { tags, extra, source } = await blz.engine.collections.get(blz.call, { name });
  assert.deepEqual([tags, extra?.['own']], [['mine'], 1]);
  assert.ok(source?.url?.endsWith(path));
  return result!.status;
}

test('stays, whether the text is the same or another', async () => {
  assert.equal(await updatedMeanwhile('same', '# A\n\nText about herons.\n'), 'unchanged');
  assert.equal(await updatedMeanwhile('other', '# A\n\nText about storks.\n'), 'refreshed');
});

test('stays where the text is only indexed again', async () => {
  await tagged('same')();
  const [result] = await blz.engine.docs.update(blz.call, { aliases: ['same'], reindex: true });
  assert.equal(result!.status, 'reindexed');
  assert.deepEqual((await blz.engine.collections.get(blz.call, { name: 'same' })).tags, ['mine']);
});

test('one that is gone when its turn comes is told, and the others are refreshed', async () => {
  const gone = { ...blz.call, progress: ({ done }: { done: number }) => void (done === 0 && remove()) };
  let removed: Promise<unknown> | undefined;
  const remove = () => (removed ??= blz.engine.docs.remove(blz.call, 'same'));
  const results = await blz.engine.docs.update(gone, { aliases: ['other', 'same'] });
  await removed;
  assert.deepEqual(
    results.map(({ alias, status, code }) => [alias, status, code]),
    [
      ['other', 'unchanged', undefined],
      ['same', 'error', 'COLLECTION_NOT_FOUND'],
    ],
  );
});

test('a file that was ingested into the collection of a folder stays while it is there', async () => {
  const base = mkdtempSync(join(tmpdir(), 'vai-beside-'));
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
    return join(base, path);
  };
  const update = async (): Promise<string[]> => {
    const [result] = await blz.engine.docs.update(blz.call, { aliases: ['folder'] });
    assert.equal(result!.status, 'refreshed');
    const { documents } = await blz.engine.collections.documents(blz.call, {
      collection: 'folder',
      limit: 9,
    });
    return documents.map(({ path }) => path).sort();
  };
  try {
    write('docs/one.md', '# One\n\nText about herons.\n');
    const two = write('docs/two.md', '# Two\n\nText about storks.\n');
    const beside = write('beside/extra.md', '# Extra\n\nText about gulls.\n');
    await blz.engine.docs.add(blz.call, { alias: 'folder', path: join(base, 'docs') });
    await blz.engine.ingest.files(blz.call, { paths: [beside], collection: 'folder' });
    rmSync(two);
    assert.deepEqual(await update(), ['extra.md', 'one.md']);
    rmSync(beside);
    assert.deepEqual(await update(), ['one.md']);
  } finally {
    rmSync(base, { recursive: true });
  }
});
