import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { VaiError } from '../../../src/domain/errors.ts';
import { localCall, type Call } from '../../../src/engine/call.ts';
import { openBlz, GUIDE, type BlzFixture } from '../../support/blz-engine.ts';
import * as play from '../../support/docs-server.ts';
import { fails } from '../../support/failure.ts';

let blz: BlzFixture;
before(async () => {
  blz = await openBlz();
});
after(() => blz.close());

const DAY = 86_400_000;
const add = (alias: string, path: string, more: object = {}) =>
  blz.engine.docs.add(blz.call, { alias, url: blz.server.origin + path, ...more });
const update = async (alias: string, more: object = {}) =>
  (await blz.engine.docs.update(blz.call, { aliases: [alias], ...more }))[0]!;
const read = async (citation: string) =>
  (await blz.engine.docs.find(blz.call, { snippets: [citation] })).snippets[0]!;

describe('adding', () => {
  test('the counts agree everywhere', async () => {
    blz.server.set('/counts.md', GUIDE);
    const added = await add('counts', '/counts.md');
    assert.match(added.message, /^Added counts \(9 headings, 40 lines\) in \d+ms$/);
    const counts = { totalLines: 40, headings: 9 };
    assert.deepEqual(added.metadata, counts);
    const listed = (await blz.engine.docs.list(blz.call, { filter: 'counts' })).sources[0]!;
    assert.deepEqual(listed.kind === 'installed' && listed.metadata, counts);
    assert.deepEqual((await blz.engine.docs.inspect(blz.call, 'counts'))[0]!.metadata, counts);
    const stats = await blz.engine.docs.stats(blz.call);
    assert.equal(stats.sources.find((source) => source.alias === 'counts')?.lines, 40);
    assert.equal((await blz.engine.docs.outline(blz.call, { alias: 'counts' })).length, 9);
  });

  test('an alias that is not in the registry is not guessed', async () => {
    await assert.rejects(blz.engine.docs.add(blz.call, { alias: 'java' }), (error: VaiError) => {
      assert.equal(error.code, 'SOURCE_NOT_FOUND');
      return true;
    });
    await assert.rejects(blz.engine.docs.add(blz.call, { alias: 'svelt' }), (error: VaiError) => {
      assert.equal(error.suggestions?.[0], 'svelte');
      return true;
    });
  });

  test("B17 what the registry suggests can be added by that name: the user's entries too", async () => {
    await mkdir(join(blz.home, 'data'), { recursive: true });
    blz.server.set('/corp/llms-full.txt', play.htmlShell());
    blz.server.set('/corp/llms.txt', '# Corp\n\nInternal handbook.\n');
    await writeFile(
      join(blz.home, 'data', 'registry.json'),
      JSON.stringify([
        {
          id: 'corp',
          url: `${blz.server.origin}/corp/llms-full.txt`,
          name: 'Corp docs',
          category: 'internal',
        },
      ]),
    );
    const candidate = (await blz.engine.docs.list(blz.call, { filter: 'corp' })).sources[0]!;
    assert.equal(candidate.kind === 'registry' && candidate.suggestedCommand, 'blz add corp');
    const added = await blz.engine.docs.add(blz.call, { alias: 'corp' });
    assert.equal(added.url, `${blz.server.origin}/corp/llms.txt`);
    const [details] = await blz.engine.docs.inspect(blz.call, 'corp');
    assert.equal(details!.title, 'Corp docs');
    assert.equal(details!.category, 'internal');
    assert.match(details!.diagnostics.join(), /HTML/);
    const after = await blz.engine.docs.list(blz.call, { filter: 'corp' });
    assert.deepEqual(
      after.sources.map((source) => source.kind),
      ['installed'],
    );
  });

  test('an alias in use is kept unless forced; force archives', async () => {
    blz.server.set('/twice.md', '# One\n\nfirst text\n');
    await add('twice', '/twice.md');
    await assert.rejects(add('twice', '/twice.md'), fails('SOURCE_EXISTS'));
    blz.server.set('/twice.md', '# Two\n\nsecond text\n\n# More\n');
    await add('twice', '/twice.md', { force: true });
    assert.equal((await read('twice:3')).content, 'second text');
    const diff = await blz.engine.docs.diff(blz.call, { alias: 'twice' });
    assert.deepEqual(
      diff.removed.map((section) => section.headingPath),
      [['One']],
    );
    assert.equal((await blz.engine.docs.validate(blz.call, { alias: 'twice' }))[0]!.status, 'healthy');
  });

  test('ingested collections are never replaced, but are listed and found', async () => {
    await blz.engine.ingest.text(blz.call, {
      text: '# Note\n\nAbout quokkas.',
      collection: 'notes',
      source: 'a/note.md',
    });
    await assert.rejects(add('notes', '/twice.md', { force: true }), fails('SOURCE_EXISTS'));
    const listed = (await blz.engine.docs.list(blz.call, { filter: 'notes' })).sources[0]!;
    assert.equal(listed.url, null);
    const found = await blz.engine.docs.find(blz.call, { query: 'quokkas' });
    const hit = found.hits[0]!;
    assert.equal(hit.alias, 'notes/a/note.md');
    assert.equal(hit.sourceUrl, null);
    assert.match((await read(`${hit.alias}:${hit.lines}`)).content, /quokkas/);
    const narrowed = await blz.engine.docs.find(blz.call, { query: 'quokkas', source: hit.alias });
    assert.equal(narrowed.hits.length, 1);
  });

  test('a failed first add leaves nothing', async () => {
    blz.server.set('/broken.txt', play.truncated('# Broken\n'.repeat(200)));
    await assert.rejects(add('broken', '/broken.txt'), fails('FETCH_FAILED'));
    assert.deepEqual((await blz.engine.docs.list(blz.call, { filter: 'broken' })).sources, []);
  });

  test('a key without the right to write, or for other collections, may not add', async () => {
    const as = (
      scopes: readonly ['read'] | readonly ['read', 'write'],
      collections: string[] | '*',
    ): Call => ({
      principal: { id: 'k', scopes, collections, databases: '*' },
    });
    const request = { alias: 'mine', url: `${blz.server.origin}/counts.md` };
    await assert.rejects(blz.engine.docs.add(as(['read'], '*'), request), fails('NOT_ALLOWED'));
    await assert.rejects(
      blz.engine.docs.add(as(['read', 'write'], ['other']), request),
      fails('COLLECTION_NOT_FOUND'),
    );
    const seen = await blz.engine.docs.list(as(['read'], ['counts']), {});
    assert.deepEqual(
      seen.sources.filter((one) => one.kind === 'installed').map((one) => one.alias),
      ['counts'],
    );
    const hidden = await blz.engine.docs.find(as(['read'], ['counts']), { query: 'quokkas' });
    assert.deepEqual(hidden.hits, []);
  });

  test('an index is followed to its pages, refreshed as pages, and its text found by every toolset', async () => {
    blz.server.set('/idx/llms.txt', '# Idx\n\n- [A](/idx/a.md)\n- [B](/idx/b.md)\n');
    blz.server.set('/idx/a.md', '# Page A\n\nAbout pangolins.\n');
    blz.server.set('/idx/b.md', '# Page B\n\nAbout aardvarks.\n');
    await add('idx', '/idx');
    assert.equal((await blz.engine.docs.inspect(blz.call, 'idx'))[0]!.variant, 'pages');
    const [hit] = (await blz.engine.docs.find(blz.call, { query: 'aardvarks', source: 'idx' })).hits;
    assert.equal(hit!.pageUrl, `${blz.server.origin}/idx/b.md`);
    assert.equal((await update('idx')).status, 'unchanged');
    blz.server.set('/idx/b.md', '# Page B\n\nAbout aardvarks and okapis.\n');
    assert.equal((await update('idx')).status, 'refreshed');
    const vai = await blz.engine.search.run(blz.call, { query: 'okapis', limit: 3 });
    assert.equal(vai.hits[0]!.collection, 'idx');
  });

  test('BLZ_MAX_BYTES limits what is taken, and nothing is stored beyond it', async () => {
    const small = await openBlz({ env: { BLZ_MAX_BYTES: '200' } });
    try {
      small.server.set('/big.md', GUIDE);
      const url = `${small.server.origin}/big.md`;
      await assert.rejects(small.engine.docs.add(small.call, { alias: 'big', url }), fails('TOO_LARGE'));
      assert.deepEqual(await small.engine.docs.inspect(small.call), []);
    } finally {
      await small.close();
    }
  });

  test('BLZ_OFFLINE blocks adding with a clear error and leaves search alone', async () => {
    const offline = await openBlz({ env: { BLZ_OFFLINE: '1' } });
    try {
      await assert.rejects(
        offline.engine.docs.add(offline.call, { alias: 'bun' }),
        (error: VaiError) => error.code === 'OFFLINE' && /BLZ_OFFLINE/.test(error.message),
      );
      assert.ok((await offline.engine.docs.list(offline.call)).sources.length > 40);
    } finally {
      await offline.close();
    }
  });
});

describe('refreshing', () => {
  test('unchanged: one conditional request, recorded, nothing indexed again', async () => {
    blz.server.set('/same.md', GUIDE);
    await add('same', '/same.md');
    const [before] = await blz.engine.docs.inspect(blz.call, 'same');
    blz.pass(31 * DAY);
    assert.equal((await blz.engine.docs.inspect(blz.call, 'same'))[0]!.stale, true);
    assert.equal(
      (await blz.engine.docs.find(blz.call, { query: 'installer', source: 'same' })).hits[0]!.stale,
      true,
    );
    const requests = blz.server.requests.length;
    assert.equal((await update('same')).status, 'unchanged');
    assert.equal(blz.server.requests.length, requests + 1);
    assert.ok(blz.server.requests.at(-1)!.headers['if-none-match']);
    const [after] = await blz.engine.docs.inspect(blz.call, 'same');
    assert.equal(after!.stale, false);
    assert.notEqual(after!.fetchedAt, before!.fetchedAt);
    assert.equal(after!.lastUpdated, before!.lastUpdated);
    assert.equal(
      (await blz.engine.docs.find(blz.call, { query: 'installer', source: 'same' })).hits[0]!.stale,
      false,
    );
    assert.equal((await blz.engine.docs.history(blz.call, { alias: 'same' }))[0]!.result, 'unchanged');
  });

  test('two updates: history, archive, moved sections, old citations followed', async () => {
    blz.server.set('/moving.md', GUIDE);
    await add('moving', '/moving.md');
    const old = (await blz.engine.docs.find(blz.call, { query: 'installer', source: 'moving' })).hits[0]!;
    const usage = (await blz.engine.docs.outline(blz.call, { alias: 'moving', filter: 'usage' })).map(
      (one) => one.id,
    );
    assert.equal(new Set(usage).size, 2);
    blz.server.set('/moving.md', `New first line.\n\n${GUIDE}`);
    assert.equal((await update('moving')).status, 'refreshed');
    blz.server.set(
      '/moving.md',
      `New first line.\n\n${GUIDE.replace('Call it with options.', 'Call it without.')}`,
    );
    const second = await update('moving');
    assert.deepEqual(second.before, second.after);
    const results = (await blz.engine.docs.history(blz.call, { alias: 'moving' })).map(
      (event) => event.result,
    );
    assert.deepEqual(results, ['updated', 'updated', 'added']);
    const diff = await blz.engine.docs.diff(blz.call, { alias: 'moving' });
    assert.deepEqual(
      diff.changed.map((section) => section.headingPath),
      [['Reference', 'Usage']],
    );
    const first = await blz.engine.docs.diff(blz.call, { alias: 'moving', rev: old.rev });
    assert.ok(first.moved.length >= 6);
    const answer = await blz.engine.docs.find(blz.call, { snippets: [`moving:${old.lines}@${old.rev}`] });
    assert.equal(answer.snippets[0]!.status, 'moved');
    assert.equal(answer.snippets[0]!.lines, '11-14');
    assert.match(answer.snippets[0]!.content, /^## Install/);
    assert.equal(answer.notices![0]!.code, 'remapped');
    const changed = await blz.engine.docs.find(blz.call, { snippets: [`moving:38-40@${old.rev}`] });
    assert.equal(changed.snippets[0]!.status, 'changed');
    assert.match(changed.notices![0]!.message, /1 line removed and \d lines? added/);
    const unknown = await blz.engine.docs.find(blz.call, { snippets: ['moving:1@00000000'] });
    assert.equal(unknown.notices![0]!.code, 'stale_citation');
  });

  test('gone lines are shown as they were', async () => {
    blz.server.set('/gone.md', '# A\n\nkeep one\n\n# B\n\nremove me please\n\n# C\n\nkeep two\n');
    await add('gone', '/gone.md');
    const { rev } = await read('gone:5-7');
    blz.server.set('/gone.md', '# A\n\nkeep one\n\n# C\n\nkeep two\n');
    assert.equal((await update('gone')).status, 'refreshed');
    const snippet = await read(`gone:5-7@${rev}`);
    assert.equal(snippet.status, 'gone');
    assert.equal(snippet.content, '# B\n\nremove me please');
    assert.equal(snippet.rev, rev);
  });

  test('a refresh that loses most of a source is held until it is forced', async () => {
    blz.server.set('/shrink.md', GUIDE);
    await add('shrink', '/shrink.md');
    blz.server.set('/shrink.md', '# Guide\n\nMoved elsewhere.\n');
    const held = await update('shrink');
    assert.equal(held.status, 'held');
    assert.equal(held.code, 'SHRINK_HELD');
    assert.match((await read('shrink:7')).content, /Welcome/);
    assert.equal((await blz.engine.docs.history(blz.call, { alias: 'shrink' }))[0]!.result, 'held');
    assert.equal((await update('shrink')).status, 'held');
    assert.equal((await update('shrink', { force: true })).status, 'refreshed');
    assert.equal((await read('shrink:3')).content, 'Moved elsewhere.');
  });

  test('a failed refresh leaves the old version and says why', async () => {
    blz.server.set('/fail.md', GUIDE);
    await add('fail', '/fail.md');
    for (const [bad, code] of [
      [play.truncated(GUIDE), 'FETCH_FAILED'],
      [play.htmlShell(), 'NOT_DOCUMENTATION'],
      [play.status(404), 'FETCH_FAILED'],
    ] as const) {
      blz.server.set('/fail.md', bad);
      const result = await update('fail');
      assert.equal(result.status, 'error');
      assert.equal(result.code, code);
    }
    assert.match((await read('fail:7')).content, /Welcome/);
    const [event] = await blz.engine.docs.history(blz.call, { alias: 'fail' });
    assert.equal(event!.result, 'failed');
    assert.match(event!.message!, /404/);
    assert.equal((await blz.engine.docs.validate(blz.call, { alias: 'fail' }))[0]!.status, 'healthy');
  });

  test('reindex makes outline and index anew from the stored text, without the network', async () => {
    const requests = blz.server.requests.length;
    const result = await update('counts', { reindex: true });
    assert.equal(result.status, 'reindexed');
    assert.deepEqual(result.before, result.after);
    assert.equal(blz.server.requests.length, requests);
    assert.equal((await blz.engine.docs.validate(blz.call, { alias: 'counts' }))[0]!.checksum_matches, true);
  });

  test('at most ten old versions are kept', async () => {
    for (let at = 0; at < 13; at++) {
      blz.server.set('/many.md', `# Version ${at}\n\nText.\n`);
      if (at === 0) await add('many', '/many.md');
      else assert.equal((await update('many')).status, 'refreshed');
    }
    const store = await blz.deps.stores.open('vai');
    assert.equal((await store.versions.list('many', '')).length, 10);
  });
});

describe('local sources', () => {
  test('a file is read again when it changes', async () => {
    const file = join(blz.home, 'local.md');
    await writeFile(file, '# Local\n\nOriginal wording.\n');
    const added = await blz.engine.docs.add(blz.call, { alias: 'localfile', path: file });
    assert.equal(added.url, null);
    assert.equal((await update('localfile')).status, 'unchanged');
    await writeFile(file, '# Local\n\nRevised wording.\n\nMore.\n');
    assert.equal((await update('localfile')).status, 'refreshed');
    assert.equal((await read('localfile:3')).content, 'Revised wording.');
    const [details] = await blz.engine.docs.inspect(blz.call, 'localfile');
    assert.equal(details!.location, '~/local.md');
    const atTerminal = { ...blz.call, atTerminal: true as const };
    assert.equal((await blz.engine.docs.inspect(atTerminal, 'localfile'))[0]!.location, file);
    const { sources } = await blz.engine.docs.list(atTerminal, { filter: 'localfile' });
    assert.ok(sources.some((source) => 'location' in source && source.location === file));
    assert.equal(details!.url, null);
  });

  test('a folder is a source of many files, each cited by its path', async () => {
    const folder = join(blz.home, 'project', 'handbook');
    await mkdir(join(folder, 'auth'), { recursive: true });
    await writeFile(join(folder, 'auth', 'tokens.md'), '# Tokens\n\nRefresh tokens rotate weekly.\n');
    await writeFile(join(folder, 'index.md'), '# Handbook\n\nStart here.\n');
    await blz.engine.docs.add(blz.call, { alias: 'handbook', path: folder });
    const { hits } = await blz.engine.docs.find(blz.call, { query: 'rotate', source: 'handbook' });
    assert.equal(`${hits[0]!.alias}:${hits[0]!.lines}`, 'handbook/auth/tokens.md:1-3');
    assert.equal((await read('handbook/auth/tokens.md:3')).content, 'Refresh tokens rotate weekly.');
    await writeFile(join(folder, 'new.md'), '# New\n\nAbout capybaras.\n');
    assert.equal((await update('handbook')).status, 'refreshed');
    assert.equal((await blz.engine.docs.find(blz.call, { query: 'capybaras' })).hits.length, 1);
    assert.equal((await update('handbook')).status, 'unchanged');
    const [details] = await blz.engine.docs.inspect(blz.call, 'handbook');
    assert.equal(details!.location, '<project>/handbook');
    await assert.rejects(
      blz.engine.docs.find(blz.call, { snippets: ['handbook:1'] }),
      fails('DOCUMENT_NOT_FOUND'),
    );
  });

  test('a source that is not there is an error', async () => {
    await assert.rejects(
      blz.engine.docs.add(blz.call, { alias: 'nofile', path: join(blz.home, 'missing.md') }),
      (error: VaiError) => fails('FILE_UNREADABLE')(error) && !error.message.includes(blz.home),
    );
  });
});

describe('removing and checking', () => {
  test('removing takes the right to administer, and takes everything', async () => {
    blz.server.set('/away.md', GUIDE);
    await add('away', '/away.md');
    const writer: Call = {
      principal: { id: 'k', scopes: ['read', 'write'], collections: '*', databases: '*' },
    };
    await assert.rejects(blz.engine.docs.remove(writer, 'away'), fails('NOT_ALLOWED'));
    await blz.engine.docs.remove(localCall(), 'away');
    await assert.rejects(blz.engine.docs.remove(localCall(), 'away'), fails('SOURCE_NOT_FOUND'));
    await assert.rejects(
      blz.engine.docs.find(blz.call, { query: 'x', source: 'away' }),
      fails('SOURCE_NOT_FOUND'),
    );
  });

  test('validate fails for an unknown source and covers all only when none is named', async () => {
    await assert.rejects(blz.engine.docs.validate(blz.call, { alias: 'nosuch' }), fails('SOURCE_NOT_FOUND'));
    assert.equal((await blz.engine.docs.validate(blz.call, { alias: 'counts' })).length, 1);
    assert.ok((await blz.engine.docs.validate(blz.call, {})).length > 5);
  });

  test('validate --online tells of a changed text', async () => {
    blz.server.set('/online.md', GUIDE);
    await add('online', '/online.md');
    const check = async () =>
      (await blz.engine.docs.validate(blz.call, { alias: 'online', online: true }))[0]!;
    assert.equal((await check()).status, 'healthy');
    blz.server.set('/online.md', `${GUIDE}\nmore\n`);
    assert.match((await check()).issues.join(), /has changed/);
    blz.server.remove('/online.md');
    assert.match((await check()).issues.join(), /404/);
  });
});
