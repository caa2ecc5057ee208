import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBlz, type BlzFixture } from '../../support/blz-engine.ts';
import * as play from '../../support/docs-server.ts';
import { archive } from '../../support/tar.ts';

let blz: BlzFixture;
before(async () => {
  blz = await openBlz();
});
after(() => blz.close());

const FILES = {
  'README.md': '# Lantern\n\nA library that lights lamps.\n',
  'docs/wicks.md': '# Wicks\n\n## Trimming\n\nTrim the wick every evening with the brass scissors.\n',
  'docs/oil.md': '# Oil\n\nOnly whale-free oil is poured.\n',
  'docs/glass.md': '# Glass\n\nThe chimney is wiped with vinegar.\n',
  'docs/draft.md': '# Draft\n\nNobody reads this draft.\n',
  'src/lamp.ts': 'export function lightLamp(): void {}\n',
  '.gitignore': 'draft.md\n',
};
const serve = (files: Record<string, string>, commit: string, ref = 'HEAD'): void =>
  blz.server.set(
    `/acme/lantern/archive/${ref}.tar.gz`,
    play.file(archive(files, { commit: commit.padEnd(40, '0') }), { type: 'application/x-gzip' }),
  );
const add = (alias: string, url: string, more: object = {}) =>
  blz.engine.docs.add(blz.call, { alias, url, ...more });
const update = async (alias: string, more: object = {}) =>
  (await blz.engine.docs.update(blz.call, { aliases: [alias], ...more }))[0]!;
const find = (query: string, source: string) => blz.engine.docs.find(blz.call, { query, source });
const paths = async (alias: string): Promise<string[]> => {
  const store = await blz.deps.stores.open('vai');
  return (await store.documents.list(alias, { limit: 100 })).documents.map(({ path }) => path).sort();
};

describe('a GitHub repository as a source', () => {
  test('docs and code are searched, cited, versioned and lead to their page', async () => {
    serve(FILES, 'abc', 'v3.1.0');
    const added = await add('lantern', 'github:acme/lantern@v3.1.0');
    assert.match(added.message, /^Added lantern \(\d+ headings, \d+ lines\) in \d+ms$/);
    assert.equal(added.url, `${blz.server.origin}/acme/lantern`);
    assert.deepEqual(await paths('lantern'), [
      'README.md',
      'docs/glass.md',
      'docs/oil.md',
      'docs/wicks.md',
      'src/lamp.ts',
    ]);
    const { hits } = await find('trim the wick', 'lantern');
    const [hit] = hits;
    assert.equal(hit!.alias, 'lantern/docs/wicks.md');
    assert.equal(hit!.docsVersion, '3.1.0');
    assert.equal(hit!.versionMatch, 'unknown');
    assert.equal(
      hit!.pageUrl,
      `${blz.server.origin}/acme/lantern/blob/${'abc'.padEnd(40, '0')}/docs/wicks.md`,
    );
    const opened = await blz.engine.docs.find(blz.call, {
      snippets: [`${hit!.alias}:${hit!.lines}@${hit!.rev}`],
    });
    assert.match(opened.snippets[0]!.content, /brass scissors/);
    assert.equal((await find('lightLamp', 'lantern')).hits[0]!.alias, 'lantern/src/lamp.ts');
    const listed = (await blz.engine.docs.list(blz.call, { filter: 'lantern' })).sources[0]!;
    assert.equal(listed.title, 'acme/lantern v3.1.0');
    assert.equal(listed.kind === 'installed' && listed.docsVersion, '3.1.0');
    assert.equal(listed.url, added.url);
  });

  test('an update asks once; new, changed and gone files follow; a failure keeps everything', async () => {
    serve(FILES, 'a1');
    await add('lamp', 'github:acme/lantern/docs');
    const asked = blz.server.count('/acme/lantern/archive/HEAD.tar.gz');
    blz.pass(60_000);
    assert.equal((await update('lamp')).status, 'unchanged');
    assert.equal(blz.server.count('/acme/lantern/archive/HEAD.tar.gz'), asked + 1);
    assert.match(String(blz.server.requests.at(-1)!.headers['if-none-match']), /^"/);

    const { 'docs/oil.md': _gone, ...kept } = FILES;
    serve(
      {
        ...kept,
        'docs/wicks.md': '# Wicks\n\nWicks are woven of linen.\n',
        'docs/new.md': '# New\n\nMantles glow.\n',
      },
      'a2',
    );
    const changed = await update('lamp');
    assert.equal(changed.status, 'refreshed', changed.message);
    assert.deepEqual(await paths('lamp'), ['docs/glass.md', 'docs/new.md', 'docs/wicks.md']);
    assert.match((await find('woven linen', 'lamp')).hits[0]!.pageUrl!, /\/blob\/a20+\/docs\/wicks\.md$/);
    const [event] = await blz.engine.docs.history(blz.call, { alias: 'lamp' });
    assert.equal(event!.message, '1 added, 1 changed, 0 renamed, 1 removed');

    blz.server.set('/acme/lantern/archive/HEAD.tar.gz', play.status(500));
    const failed = await update('lamp');
    assert.deepEqual([failed.status, failed.code], ['error', 'FETCH_FAILED']);
    assert.deepEqual(await paths('lamp'), ['docs/glass.md', 'docs/new.md', 'docs/wicks.md']);

    // A commit that changes nothing beneath the path is remembered.
    serve(
      {
        ...kept,
        'docs/wicks.md': '# Wicks\n\nWicks are woven of linen.\n',
        'docs/new.md': '# New\n\nMantles glow.\n',
        'x.md': 'x\n',
      },
      'a3',
    );
    assert.equal((await update('lamp')).status, 'unchanged');
    assert.match((await find('woven linen', 'lamp')).hits[0]!.pageUrl!, /\/blob\/a30+\//);
  });

  test('what the rules of the repository pass over from now on is removed', async () => {
    serve(FILES, 'd1', 'rules');
    await add('rules', 'github:acme/lantern@rules');
    serve({ ...FILES, '.gitignore': 'draft.md\noil.md\n' }, 'd2', 'rules');
    assert.equal((await update('rules')).status, 'refreshed');
    assert.deepEqual(await paths('rules'), ['README.md', 'docs/glass.md', 'docs/wicks.md', 'src/lamp.ts']);
  });

  test('a repository that lost most of its documents is held until it is confirmed', async () => {
    serve(FILES, 'b1', 'held');
    await add('held', 'github:acme/lantern@held');
    serve({ 'README.md': '# Lantern\n\nMoved elsewhere.\n' }, 'b2', 'held');
    const held = await update('held');
    assert.deepEqual([held.status, held.code], ['held', 'SHRINK_HELD']);
    const [last] = await blz.engine.docs.history(blz.call, { alias: 'held', limit: 1 });
    assert.equal(last?.result, 'held');
    assert.equal((await paths('held')).length, 5);
    assert.equal((await update('held', { force: true })).status, 'refreshed');
    assert.deepEqual(await paths('held'), ['README.md']);
  });

  test('a text replaces a repository and the reverse, leaving nothing behind', async () => {
    serve(FILES, 'c1', 'swap');
    blz.server.set('/swap.md', '# Swap\n\nOne text.\n');
    await add('swap', `${blz.server.origin}/swap.md`);
    await add('swap', 'github:acme/lantern@swap/docs', { force: true });
    assert.deepEqual(await paths('swap'), ['docs/glass.md', 'docs/oil.md', 'docs/wicks.md']);
    await add('swap', `${blz.server.origin}/swap.md`, { force: true });
    assert.deepEqual(await paths('swap'), ['']);
    assert.equal((await find('one text', 'swap')).hits[0]!.pageUrl, undefined);
  });

  test('a dry run says what would be added and stores nothing', async () => {
    serve(FILES, 'd1', 'dry');
    const analysis = await blz.engine.docs.analyse(blz.call, {
      alias: 'dry',
      url: 'github:acme/lantern@dry/docs',
    });
    assert.equal(analysis.documents, 3);
    assert.equal(analysis.variant, 'repository');
    assert.equal(analysis.headerCount, 4);
    assert.equal((await blz.engine.docs.list(blz.call, { filter: 'dry' })).sources.length, 0);
  });

  test('a client adds one by its address; a bad one is an error that says how', async () => {
    serve(FILES, 'e1', 'tool');
    const added = await blz.tool('source-add', { alias: 'tool', url: 'github:acme/lantern@tool/docs' });
    assert.equal(added.isError, false, added.text);
    const bad = await blz.tool('source-add', { alias: 'bad', url: 'github:acme' });
    assert.equal(bad.isError, true);
    assert.match(bad.text, /github:owner\/name/);
    const none = await blz.tool('source-add', { alias: 'none', url: 'github:acme/none' });
    assert.equal(none.isError, true);
    assert.deepEqual(await paths('none'), []);
  });

  test('whether it is behind can be asked', async () => {
    serve(FILES, 'f1', 'online');
    await add('online', 'github:acme/lantern@online');
    const check = async () =>
      (await blz.engine.docs.validate(blz.call, { alias: 'online', online: true }))[0]!;
    assert.equal((await check()).status, 'healthy');
    serve({ ...FILES, 'docs/more.md': '# More\n' }, 'f2', 'online');
    assert.match((await check()).issues.join(), /has changed/);
  });
});
