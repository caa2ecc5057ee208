// Which relations are about some words does not depend on what else lies in the database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteStores } from '../../../../src/stores/sqlite/stores.ts';
import { collection, document } from '../../../contract/fixtures.ts';
import { entity, relation, says } from '../../../contract/graph.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('relations about words keep their order when another collection holds one of the words often', async (context) => {
  const stores = sqliteStores({ home: tempFolder('graph-relations'), now: () => new Date() });
  context.after(() => stores.close());
  const store = await stores.open('vai');
  const write = async (name: string, count: number, word: (at: number) => string) => {
    await store.collections.put(collection(name));
    for (let at = 0; at < count; at += 1) {
      const graph = [
        says(
          [entity(`${name}${at}`), entity('Hub')],
          [relation(`${name}${at}`, 'USES', 'Hub', { description: `keeps the ${word(at)} in order` })],
        ),
      ];
      await store.documents.replace(document({ collection: name, path: `${at}.md`, text: 'x', graph }));
    }
  };
  const about = async () =>
    (await store.graph.relationsAbout(['harbour', 'moorings'], { scope: ['open'], limit: 6 })).map(
      ({ source }) => source.key,
    );
  await write('open', 12, (at) => (at % 3 === 0 ? 'harbour' : 'moorings'));
  const alone = await about();
  assert.equal(alone.length, 6);
  assert.deepEqual(alone.slice(0, 4), ['open0', 'open3', 'open6', 'open9'], 'the rarer word first');
  await write('closed', 60, () => 'harbour');
  assert.deepEqual(await about(), alone);
});
