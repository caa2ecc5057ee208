// Contract: pages by name; the mention index, and how it is completed.

import assert from 'node:assert/strict';
import { parseFilter } from '../../src/domain/filter.ts';
import type { Scope } from '../../src/ports/store.ts';
import { collection, document, mentionCounts, nameChunks } from './fixtures.ts';
import { cases, type Subject } from './harness.ts';

export function nameContract(subject: Subject): void {
  const check = cases(subject);

  check('a page is found by its names, by the chunk it begins with', async ({ store }) => {
    await store.collections.put(collection('other'));
    const pages = (...names: string[][]) => ({
      more: { pages: names.map((list, ordinal) => ({ ordinal, names: list })) },
    });
    const text = 'one\n\ntwo';
    await store.documents.replace(document({ path: 'b', text, ...pages(['pod'], ['pod', '知识']) }));
    await store.documents.replace(
      document({ path: 'a', text, metadata: { kind: 'x' }, ...pages([], ['pod', '$ref']) }),
    );
    await store.documents.replace(document({ collection: 'other', path: 'c', text, ...pages(['pod']) }));
    const found = async (names: string[], scope: Scope = {}, limit = 9) => {
      const ids = await store.search.pages({ names, scope, limit });
      const chunks = await store.search.chunks(ids);
      return chunks.map(({ collection, path, ordinal }) => `${collection}/${path}#${ordinal}`);
    };
    assert.deepEqual(await found(['pod']), ['docs/a#1', 'docs/b#0', 'docs/b#1', 'other/c#0']);
    assert.deepEqual(await found(['$ref', '知识', 'absent']), ['docs/a#1', 'docs/b#1']);
    assert.deepEqual(await found(['pod'], { collections: ['other', 'gone'] }), ['other/c#0']);
    assert.deepEqual(await found(['pod'], { filter: parseFilter({ 'metadata.kind': 'x' }) }), ['docs/a#1']);
    assert.deepEqual(await found(['pod'], {}, 2), ['docs/a#1', 'docs/b#0']);
    assert.deepEqual([await found([]), await found(['Pod'])], [[], []], 'names are compared as they are');
    await store.documents.move('docs', 'b', 'z');
    await store.documents.remove('docs', 'a');
    assert.deepEqual(await found(['pod']), ['docs/z#0', 'docs/z#1', 'other/c#0']);
    await store.documents.replace(document({ path: 'z', text: 'one' }));
    await store.collections.remove('other');
    assert.deepEqual(await found(['pod']), []);
  });

  check('the mention index counts and finds chunks', async ({ store }) => {
    await store.collections.put(collection('other'));
    const other = { collection: 'other', path: 'b' };
    await store.documents.replace(document({ path: 'a', text: 'x\n\ny\n\nz' }));
    await store.documents.replace(document({ ...other, text: 'x' }));
    await nameChunks(store, { path: 'a' }, [['kubelet', 'res.end', 'Two Words', '$ref'], ['kubelet']]);
    await nameChunks(store, other, [['kubelet', '知识', 'resend', 'words']]);
    const keys = [
      'kubelet',
      'res.end',
      'Two Words',
      '知识',
      'resend',
      'words',
      'absent',
      '"',
      '',
      '$ref',
      '$mentions',
    ];
    const counts = await mentionCounts(store, keys);
    assert.deepEqual(
      keys.map((key) => counts.get(key) ?? 0),
      [3, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0],
    );
    assert.equal((await mentionCounts(store, ['kubelet'], ['other'])).get('kubelet'), 1);
    const ids = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    const found = await store.graph.chunksWithMentions(['kubelet', 'res.end'], { scope: ['docs'], limit: 5 });
    assert.deepEqual(found.get('kubelet'), [ids[0], ids[1]]);
    assert.deepEqual(found.get('res.end'), [ids[0]]);
    const one = await store.graph.chunksWithMentions(['kubelet'], { scope: undefined, limit: 1 });
    assert.equal(one.get('kubelet')?.length, 1);
    const held = await store.graph.mentionsOfChunks(ids);
    assert.deepEqual([...held.get(ids[0]!)!].sort(), ['$ref', 'Two Words', 'kubelet', 'res.end']);
    assert.deepEqual(held.get(ids[2]!) ?? [], []);
    await store.documents.replace(document({ path: 'a', text: 'x' }));
    assert.equal((await mentionCounts(store, ['kubelet'])).get('kubelet'), 1);
    await nameChunks(store, { path: 'a' }, [['kubelet']]);
    assert.equal((await mentionCounts(store, ['kubelet'])).get('kubelet'), 2);
    assert.equal((await mentionCounts(store, ['res.end'])).get('res.end') ?? 0, 0);
  });

  check('chunks wait for names in the order of their text, a part at a time', async ({ store }) => {
    await store.collections.put(collection('other'));
    assert.deepEqual(await store.graph.unnamed(undefined, 100), []);
    const long = document({ path: 'long', text: 'one\n\ntwo\n\nthree', headings: [['Top'], ['Top', 'Sub']] });
    await store.documents.replace({ ...long, info: { ...long.info, headings: 2, title: 'A title' } });
    await store.documents.replace(document({ path: 'none', text: '' }));
    await store.documents.replace(document({ collection: 'other', path: 'b', text: 'four' }));
    const waiting = async (scope: string[] | undefined, characters: number) =>
      (await store.graph.unnamed(scope, characters)).flatMap(({ chunks }) => chunks.map(({ text }) => text));
    assert.deepEqual(await waiting(['docs'], 1), ['one']);
    assert.deepEqual(await waiting(['docs'], 4), ['one', 'two']);
    assert.deepEqual(await waiting(['docs'], 100), ['one', 'two', 'three']);
    assert.deepEqual((await waiting(undefined, 100)).sort(), ['four', 'one', 'three', 'two']);
    assert.deepEqual(await waiting([], 100), []);
    assert.deepEqual(await waiting(['nothing', 'other'], 100), ['four']);
    const [first] = await store.graph.unnamed(['docs'], 4);
    const ids = (await store.documents.chunks('docs', 'long')).map((chunk) => chunk.id);
    const { collection: owner, path, title, headings } = first!.info;
    assert.deepEqual([owner, path, title, headings], ['docs', 'long', 'A title', 2]);
    assert.deepEqual(
      first!.chunks.map(({ id, headingPath }) => [id, headingPath]),
      [
        [ids[0], ['Top']],
        [ids[1], ['Top', 'Sub']],
      ],
    );
    await store.graph.name(new Map(first!.chunks.map(({ id }) => [id, ['name']])));
    assert.deepEqual(await waiting(['docs'], 100), ['three']);
    assert.equal((await mentionCounts(store, ['name'], ['docs'])).get('name'), 2);
    await store.graph.name(new Map([[ids[2]!, []]]));
    assert.deepEqual(await waiting(undefined, 100), ['four']);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  check('a chunk gets its names once, and only after those before it', async ({ store }) => {
    await store.documents.replace(document({ path: 'a', text: 'x\n\ny\n\nz' }));
    const [x, y, z] = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    const left = async () => (await store.graph.unnamed(undefined, 100))[0]?.chunks.map(({ text }) => text);
    await store.graph.name(new Map());
    await store.graph.name(new Map([[z!, ['early']]]));
    await store.graph.name(
      new Map([
        ['nonsense', ['lost']],
        ['999999999999', ['lost']],
        ['nothing/s:0', ['lost']],
      ]),
    );
    assert.deepEqual(await left(), ['x', 'y', 'z']);
    await store.graph.name(new Map([[x!, ['first']]]));
    await store.graph.name(
      new Map([
        [x!, ['again']],
        [y!, ['second']],
      ]),
    );
    assert.deepEqual(await left(), ['z']);
    const held = await store.graph.mentionsOfChunks([x!, y!, z!]);
    assert.deepEqual([held.get(x!), held.get(y!), held.get(z!) ?? []], [['first'], ['second'], []]);
    const counts = await mentionCounts(store, ['first', 'again', 'early', 'lost']);
    assert.deepEqual([...counts.values()], [1, 0, 0, 0]);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
  });

  check('names of a text that was replaced or removed meanwhile are dropped', async ({ store }) => {
    const found = async (): Promise<Map<string, string[]>> => {
      const documents = await store.graph.unnamed(undefined, 100);
      return new Map(documents.flatMap(({ chunks }) => chunks.map(({ id }) => [id, ['old']])));
    };
    for (const path of ['same', 'edited', 'removed', 'kept'])
      await store.documents.replace(document({ path, text: `of ${path}\n\nand more` }));
    const late = await found();
    assert.equal(late.size, 8);
    await store.documents.replace(document({ path: 'same', text: 'of same\n\nand more' }));
    await store.documents.replace(document({ path: 'edited', text: 'of something else' }));
    await store.documents.remove('docs', 'removed');
    await store.graph.name(late);
    assert.equal((await mentionCounts(store, ['old'])).get('old'), 2);
    assert.equal((await found()).size, 3, 'the new texts still wait');
    await store.documents.replace(document({ path: 'kept', text: 'of kept, later' }));
    assert.equal((await mentionCounts(store, ['old'])).get('old'), 0);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    const later = await found();
    await store.collections.remove('docs');
    await store.graph.name(later);
    assert.deepEqual(await store.graph.unnamed(undefined, 100), []);
    assert.equal((await mentionCounts(store, ['old'])).get('old'), 0);
  });

  check('two processes may look for the same names at once', async ({ store, again }) => {
    const stores = await again();
    const second = await stores.open('contract');
    for (let n = 0; n < 5; n += 1)
      await store.documents.replace(document({ path: `p${n}`, text: 'one\n\ntwo' }));
    const step = async (through: typeof store, characters: number): Promise<void> => {
      const documents = await through.graph.unnamed(['docs'], characters);
      const keys = documents.flatMap(({ chunks }) => chunks.map(({ id, text }) => [id, [text]] as const));
      await through.graph.name(new Map(keys));
    };
    for (let n = 0; n < 10; n += 1) await Promise.all([step(store, 4), step(second, 7)]);
    assert.deepEqual(await second.graph.unnamed(undefined, 100), []);
    const counts = await mentionCounts(store, ['one', 'two']);
    assert.deepEqual([...counts.values()], [5, 5]);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    await stores.close();
  });
}
