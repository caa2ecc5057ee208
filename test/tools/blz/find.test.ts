import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { GUIDE, openBlz, type BlzFixture } from '../../support/blz-engine.ts';

let blz: BlzFixture;
const LINES = GUIDE.split('\n');
const long = ['# Long', ...Array.from({ length: 5000 }, (_, at) => `Paragraph ${at} about walruses.\n`)].join(
  '\n',
);

before(async () => {
  blz = await openBlz();
  blz.server.set('/guide/llms-full.txt', GUIDE);
  blz.server.set('/long.md', long);
  blz.server.set('/Mixed.md', '# Mixed\n\nA heading about otters.\n');
  blz.server.set(
    '/plain.txt',
    Array.from({ length: 450 }, (_, at) => `plain line ${at + 1} narwhal`).join('\n'),
  );
  for (const [alias, path] of [
    ['guide', '/guide/llms-full.txt'],
    ['long', '/long.md'],
    ['Mixed', '/Mixed.md'],
    ['plain', '/plain.txt'],
  ] as const)
    assert.equal(
      (await blz.tool('source-add', { alias, url: blz.server.origin + path })).isError,
      false,
      alias,
    );
});
after(() => blz.close());

const aliases = (answer: { value: { hits: { alias: string; lines: string }[] } }) =>
  answer.value.hits.map((hit) => `${hit.alias}:${hit.lines}`);
const search = (query: string, more: object = {}) => blz.tool('find', { query, source: 'guide', ...more });

describe('search', () => {
  test('answers with the fields of the contract, twice the same', async () => {
    const answer = await search('installer');
    assert.deepEqual(answer.structured, answer.value);
    assert.equal(answer.text, JSON.stringify(answer.value));
    assert.deepEqual(answer.value.executed, { searched: true, retrievedSnippets: false });
    assert.deepEqual(answer.value.snippets, []);
    const [hit] = answer.value.hits;
    assert.equal(hit.alias, 'guide');
    assert.equal(hit.lines, '9-12');
    assert.deepEqual(hit.headingPath, ['Guide', 'Install']);
    assert.equal(hit.score, 100);
    assert.equal(hit.sourceUrl, `${blz.server.origin}/guide/llms-full.txt`);
    assert.match(hit.rev, /^[0-9a-f]{8}$/);
    assert.ok(Date.parse(hit.fetchedAt) > 0);
    assert.equal(hit.stale, false);
  });

  test('operators are obeyed', async () => {
    assert.deepEqual(aliases(await search('alpha AND delta')), ['guide:34-37']);
    assert.deepEqual(aliases(await search('+alpha +beta')), ['guide:30-33']);
    assert.deepEqual(aliases(await search('gamma -beta')), ['guide:34-37']);
    assert.deepEqual(aliases(await search('"gamma delta"')), ['guide:34-37']);
    assert.deepEqual(aliases(await search('(beta OR delta) AND alpha')).toSorted(), [
      'guide:30-33',
      'guide:34-37',
    ]);
  });

  test('case never matters; parts and stems are found', async () => {
    const scores = async (query: string) =>
      (await search(query)).value.hits.map((hit: { score: number; lines: string }) => [hit.lines, hit.score]);
    assert.deepEqual(await scores('useState'), await scores('usestate'));
    assert.ok(aliases(await search('state')).includes('guide:21-25'));
    assert.ok(aliases(await search('bundler')).includes('guide:21-25'));
  });

  test('lines are the block, matchLines the lines with the words', async () => {
    const { value } = await search('package manager');
    assert.equal(value.hits[0].lines, '13-16');
    assert.deepEqual(value.hits[0].matchLines, [15]);
  });

  test('the snippet shows the words', async () => {
    const { value } = await search('bundling state');
    assert.match(value.hits[0].snippet, /state.*Bundling/i);
  });

  test('a long section gives several separately citable hits', async () => {
    const { value } = await blz.tool('find', { query: 'walruses', source: 'long', maxResults: 5 });
    assert.equal(value.hits.length, 5);
    assert.equal(new Set(value.hits.map((hit: { lines: string }) => hit.lines)).size, 5);
  });

  test('text before the first heading and setext sections are found', async () => {
    const preamble = (await search('zeppelins')).value.hits[0];
    assert.equal(preamble.lines.split('-')[0], '1');
    assert.deepEqual(preamble.headingPath, []);
    assert.deepEqual((await search('happens later')).value.hits[0].headingPath, ['Guide', 'Usage']);
  });

  test('siblings below a skipped level, and headings with a > inside', async () => {
    assert.deepEqual((await search('delta')).value.hits[0].headingPath, ['Reference', 'Deep two']);
    assert.deepEqual((await search('setup program')).value.hits[0].headingPath, [
      'Guide',
      'Install',
      'Windows > Server',
    ]);
  });

  test('every line is searchable', async () => {
    for (const at of [1, 2500, 4999]) {
      const { value } = await blz.tool('find', {
        query: `"Paragraph ${at}"`,
        source: 'long',
        maxResults: 50,
      });
      const found = value.hits.some((hit: { lines: string }) => {
        const [start, end] = hit.lines.split('-').map(Number) as [number, number];
        return start <= 2 + 2 * at && end >= 2 + 2 * at;
      });
      assert.ok(found, String(at));
    }
  });

  test('an unknown source is an error with the nearest names; among several it is a notice', async () => {
    const bad = await blz.tool('find', { query: 'x', source: 'guides' });
    assert.equal(bad.isError, true);
    assert.equal(bad.structured, undefined);
    assert.deepEqual(bad.value.error.code, -32000);
    assert.equal(bad.value.error.name, 'source_not_found');
    assert.deepEqual(bad.value.error.suggestions, ['guide']);
    const some = await blz.tool('find', { query: 'installer', source: ['guide', 'nope'] });
    assert.equal(some.value.hits[0].lines, '9-12');
    assert.equal(some.value.notices[0].code, 'source_not_found');
  });

  test('odd syntax is searched as words with a notice; nothing found says so', async () => {
    const odd = await search('"alpha beta');
    assert.ok(odd.value.hits.length > 0);
    assert.ok(odd.value.notices.length > 0);
    const none = await search('xylophonist');
    assert.deepEqual(none.value.hits, []);
    assert.equal(none.value.totalHits, 0);
    assert.match(none.value.notices[0].message, /guide/);
    assert.equal((await search('instaler')).value.hits[0].lines, '9-12');
  });

  test('a section too long for one hit is shown by the lines that match', async () => {
    const filler = Array.from(
      { length: 60 },
      (_, at) => `Filler sentence ${at} about tide tables and moorings.\n\n`,
    );
    const half = filler.join('');
    blz.server.set('/section.md', `# Section\n\n${half}The quokka sleeps.\n\n${half}`);
    await blz.tool('source-add', { alias: 'section', url: `${blz.server.origin}/section.md` });
    const [hit] = (await blz.tool('find', { query: 'quokka', source: 'section' })).value.hits;
    const [start, end] = hit.lines.split('-').map(Number);
    assert.ok(start > 3 && end - start < 120, hit.lines);
    assert.ok(start <= 123 && end >= 123, hit.lines);
  });

  test('the number of hits is counted, and the same for every page', async () => {
    // Once as `installer` and once as `install`, which is added below.
    for (const [query, source, total] of [
      ['walruses', 'long', undefined],
      ['installer', 'guide', undefined],
      ['narwhal', 'plain', undefined],
      ['otters', 'Mixed', 1],
    ] as const) {
      const totals = new Set<number>();
      for (const maxResults of [1, 2, 5, 10, 50]) {
        const { value } = await blz.tool('find', { query, source, maxResults });
        assert.equal(value.totalIsBound, undefined);
        assert.ok(value.hits.length <= maxResults && value.totalHits >= value.hits.length, query);
        if (maxResults === 50 && value.totalHits < 50)
          assert.equal(value.hits.length, value.totalHits, query);
        totals.add(value.totalHits);
      }
      for (const page of [1, 2, 3]) {
        const found = await blz.engine.docs.find(blz.call, { query, source, maxResults: 2, page });
        totals.add(found.totalHits!);
      }
      assert.equal(totals.size, 1, `${query}: ${[...totals].join(', ')}`);
      if (total !== undefined) assert.deepEqual([...totals], [total]);
    }
  });

  test('all sources when none is named; case of an alias is forgiven with a notice', async () => {
    assert.ok(aliases(await blz.tool('find', { query: 'otters' })).includes('Mixed:1-3'));
    assert.ok(aliases(await blz.tool('find', { query: 'otters', source: 'all' })).includes('Mixed:1-3'));
    const folded = await blz.tool('find', { query: 'otters', source: 'mixed' });
    assert.equal(folded.value.hits.length, 1);
    assert.equal(folded.value.notices[0].code, 'alias_case');
  });

  test('the page of a hit is named', async () => {
    assert.equal((await search('delta')).value.hits[0].pageUrl, 'https://docs.example/reference');
    assert.equal((await search('installer')).value.hits[0].pageUrl, 'https://docs.example/guide');
  });

  test('limits are clamped with a notice, numbers may be strings', async () => {
    const many = await blz.tool('find', { query: 'walruses', source: 'long', maxResults: 500 });
    assert.equal(many.value.hits.length, 50);
    assert.equal(many.value.notices[0].code, 'clamped');
    const few = await blz.tool('find', { query: 'walruses', source: 'long', maxResults: '2' });
    assert.equal(few.value.hits.length, 2);
    const none = await blz.tool('find', { query: 'walruses', source: 'long', maxResults: 0 });
    assert.equal(none.value.hits.length, 1);
  });
});

describe('retrieval', () => {
  const read = (snippets: unknown, more: object = {}) => blz.tool('find', { snippets, ...more });

  test('search, then retrieve: the section comes back with no further parameter', async () => {
    const hit = (await search('installer')).value.hits[0];
    const { value } = await read([`${hit.alias}:${hit.lines}`], { contextMode: 'symmetric' });
    assert.deepEqual(value.executed, { searched: false, retrievedSnippets: true });
    assert.deepEqual(value.hits, []);
    assert.equal(value.snippets[0].lines, '9-20');
    assert.equal(value.snippets[0].requested, '9-12');
    assert.deepEqual(value.snippets[0].headingPath, ['Guide', 'Install']);
  });

  test('text is exact, or says that it is cut and how to go on', async () => {
    const { value } = await read(['guide:7-11']);
    assert.equal(value.snippets[0].content, LINES.slice(6, 11).join('\n'));
    assert.equal(value.snippets[0].truncated, undefined);
    let next = 'long:1-10000';
    let text = '';
    let calls = 0;
    for (; next; calls++) {
      const answer = await read([next]);
      assert.ok(answer.text.length <= 40_000, String(answer.text.length));
      const [snippet] = answer.value.snippets;
      text += `${text ? '\n' : ''}${snippet.content}`;
      next = snippet.next;
      assert.equal(snippet.truncated ?? false, next !== undefined);
    }
    assert.equal(text, long.trimEnd());
    assert.ok(calls > 3);
  });

  test('one line, several ranges, several sources, spaces, counts and marks', async () => {
    const { value } = await read(['guide:7', 'guide: L9-L11, 13+2', 'Mixed:3']);
    assert.deepEqual(
      value.snippets.map((snippet: { alias: string; lines: string }) => `${snippet.alias}:${snippet.lines}`),
      ['guide:7', 'guide:9-11', 'guide:13-14', 'Mixed:3'],
    );
    assert.equal((await read('guide:7')).value.snippets[0].content, 'Welcome to the guide.');
  });

  test('one bad citation costs one notice', async () => {
    const { value, isError } = await read(['guide:7', 'guide:x', 'nope:1', 'guide:9999', 'guide:1-9999']);
    assert.equal(isError, false);
    assert.equal(value.snippets.length, 2);
    const codes = value.notices.map((notice: { code: string }) => notice.code).toSorted();
    assert.deepEqual(codes, ['bad_citation', 'bad_citation', 'clamped', 'source_not_found']);
  });

  test('all bad is an error with a code', async () => {
    assert.equal((await read(['guide:x'])).value.error.code, -32002);
    assert.equal((await read(['nope:1'])).value.error.code, -32000);
    assert.equal((await read(['guide:9999', 'guide:y'])).value.error.code, -32002);
  });

  test('context modes work on a text without headings', async () => {
    const { value } = await read(['plain:250'], { contextMode: 'symmetric' });
    assert.equal(value.snippets[0].lines, '201-400');
    assert.deepEqual(value.snippets[0].headingPath, ['Lines 201-400']);
  });

  test('padding, and padding that has no meaning', async () => {
    assert.equal((await read(['guide:11'], { linePadding: 2 })).value.snippets[0].lines, '9-13');
    assert.equal(
      (await read(['guide:11'], { contextMode: 'symmetric', linePadding: 0 })).value.snippets[0].lines,
      '11',
    );
    const all = await read(['guide:11'], { contextMode: 'all', linePadding: 3 });
    assert.equal(all.value.snippets[0].lines, '3-25');
    assert.equal(all.value.notices[0].code, 'padding_ignored');
    assert.equal((await read(['guide:11'], { linePadding: 99 })).value.notices[0].code, 'clamped');
  });

  test('a long section is cut to 200 lines and says where to go on', async () => {
    const { value } = await read(['long:3000'], { contextMode: 'symmetric' });
    assert.equal(value.snippets[0].lines, '2901-3100');
    assert.equal(value.snippets[0].truncated, true);
    assert.match(value.snippets[0].next, /^long:3101-10000@[0-9a-f]{8}$/);
  });

  test('search and retrieval in one call', async () => {
    const { value } = await blz.tool('find', { query: 'installer', source: 'guide', snippets: ['guide:7'] });
    assert.deepEqual(value.executed, { searched: true, retrievedSnippets: true });
    assert.equal(value.hits[0].lines, '9-12');
    assert.equal(value.snippets.length, 1);
  });

  test('wrong arguments are errors a model can act on', async () => {
    const codes = async (values: Record<string, unknown>) => (await blz.tool('find', values)).value.error;
    assert.equal((await codes({})).code, -32602);
    assert.equal((await codes({ query: '  ' })).code, -32602);
    assert.equal((await codes({ query: 1 })).code, -32602);
    const unknown = await codes({ querry: 'x' });
    assert.equal(unknown.name, 'invalid_params');
    assert.match(unknown.hint, /query/);
    assert.equal((await codes({ snippets: ['a:1'], contextMode: 'some' })).code, -32602);
  });
});
