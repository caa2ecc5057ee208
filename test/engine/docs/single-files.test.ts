// OpenAPI descriptions, notebooks and PDF files by address, against a server on this machine that redirects, fails, changes
// its mind and sends what is made to do harm.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorCode } from '../../../src/domain/errors.ts';
import { pdf } from '../../sources/files/fixtures.ts';
import { openBlz, type BlzFixture } from '../../support/blz-engine.ts';
import * as play from '../../support/docs-server.ts';
import { fails } from '../../support/failure.ts';
import { BOMBS } from '../../worker/bombs.ts';

let blz: BlzFixture;
before(async () => {
  blz = await openBlz();
});
after(() => blz.close());

function description(version: string, summary = 'Feed one heron with a fish') {
  return {
    openapi: '3.1.0',
    info: { title: 'Heron API', version, description: 'Birds over HTTP.' },
    paths: {
      '/herons': { get: { operationId: 'listHerons', summary: 'All herons of the pond' } },
      '/herons/{id}/meals': {
        post: { operationId: 'feedHeron', summary, responses: { 201: { description: 'Swallowed' } } },
      },
    },
    components: { schemas: { Heron: { type: 'object', properties: { legs: { type: 'integer' } } } } },
  };
}

const YAML = `# The pond, described by hand
openapi: "3.0.3"
info: {title: Pond API, version: "1.2"}
paths:
  /reeds:
    put:
      summary: Plant reeds along the shore
`;

function notebook(text: string) {
  return {
    nbformat: 4,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Counting herons\n', '\n', '## Method\n', '\n', text] },
      { cell_type: 'code', source: 'herons.groupby("pond").size()', outputs: [] },
    ],
  };
}

const PAGES = ['The heron stands.', 'Egrets are white all over.', 'Bitterns hide in the reeds.'];

/** What each format is, how it is served, and a question it answers. */
const FORMATS = [
  {
    what: 'OpenAPI in JSON',
    path: '/api/openapi.json',
    type: 'application/json',
    body: JSON.stringify(description('2.1.0')),
    changed: JSON.stringify(description('3.0.0', 'Feed one heron with a frog')),
    query: 'feed one heron',
    heading: 'POST /herons/{id}/meals',
  },
  {
    what: 'OpenAPI in YAML',
    path: '/api/pond.yaml',
    type: 'text/plain; charset=utf-8',
    body: YAML,
    changed: YAML.replace('along the shore', 'along the northern shore'),
    query: 'plant reeds shore',
    heading: 'PUT /reeds',
  },
  {
    what: 'a notebook',
    path: '/lab/count.ipynb',
    type: 'application/x-ipynb+json',
    body: JSON.stringify(notebook('Herons are counted at dawn.')),
    changed: JSON.stringify(notebook('Herons are counted at dawn and at dusk.')),
    query: 'counted at dawn',
    heading: 'Method',
  },
  {
    what: 'a PDF',
    path: '/papers/birds.pdf',
    type: 'application/pdf',
    body: pdf(PAGES, 'Birds of the pond'),
    changed: pdf([...PAGES, 'Cranes dance.'], 'Birds of the pond'),
    query: 'egrets white',
    heading: 'Page 2',
  },
] as const;

const alias = ({ path }: { path: string }, suffix = ''): string =>
  path.split('/').at(-1)!.replace(/\W/g, '-') + suffix;
const serve = (path: string, body: string | Buffer, options: play.FileOptions): void =>
  blz.server.set(path, play.file(body, options));
const add = (name: string, path: string) =>
  blz.engine.docs.add(blz.call, { alias: name, url: blz.server.origin + path });
const update = async (name: string, more: object = {}) =>
  (await blz.engine.docs.update(blz.call, { aliases: [name], ...more }))[0]!;
const find = async (query: string, source: string) =>
  (await blz.engine.docs.find(blz.call, { query, source })).hits;
const read = async (citation: string) =>
  (await blz.engine.docs.find(blz.call, { snippets: [citation] })).snippets[0]!;
const listed = async (name: string) => {
  const { sources } = await blz.engine.docs.list(blz.call, { filter: name });
  const found = sources.find((source) => source.alias === name);
  assert.ok(found?.kind === 'installed');
  return found;
};

for (const format of FORMATS) {
  const { what, path, type, body, query, heading } = format;
  describe(`${what} by address`, () => {
    test('is added, found under its heading, cited and listed as any text', async () => {
      serve(path, body, { type });
      const added = await add(alias(format), path);
      assert.match(added.message, /^Added \S+ \(\d+ headings, \d+ lines\) in \d+ms$/);
      assert.equal(added.url, blz.server.origin + path);
      const [hit] = await find(query, alias(format));
      assert.equal(hit!.alias, alias(format));
      assert.equal(hit!.headingPath.at(-1), heading);
      assert.equal(hit!.sourceUrl, added.url);
      const opened = await read(`${hit!.alias}:${hit!.lines}@${hit!.rev}`);
      assert.match(opened.content.toLowerCase(), new RegExp(query.split(' ').join('[^]*')));
      assert.equal((await listed(alias(format))).fetchedAt, opened.fetchedAt);
      const [details] = await blz.engine.docs.inspect(blz.call, alias(format));
      assert.deepEqual([details!.variant, details!.documents], ['file', 1]);
      const [report] = await blz.engine.docs.validate(blz.call, { alias: alias(format), online: true });
      assert.deepEqual([report!.status, report!.issues], ['healthy', []]);
    });

    test('an update is one conditional request; without validators the bytes are compared', async () => {
      for (const validators of ['etag', 'modified', 'none'] as const) {
        const name = alias(format, `-${validators}`);
        serve(path, body, { type, validators });
        await add(name, path);
        const asked = blz.server.count(path);
        blz.pass(60_000);
        const before = await listed(name);
        assert.equal((await update(name)).status, 'unchanged');
        assert.equal(blz.server.count(path), asked + 1);
        const { headers } = blz.server.requests.at(-1)!;
        assert.equal(headers['if-none-match'] !== undefined, validators === 'etag');
        assert.equal(headers['if-modified-since'] !== undefined, validators === 'modified');
        const checked = await listed(name);
        assert.ok(checked.fetchedAt > before.fetchedAt, 'the check is recorded');
        assert.equal(checked.changedAt, before.changedAt);
      }
    });

    test('a change is followed, the old text archived, and a pinned citation says so', async () => {
      const name = alias(format, '-moves');
      serve(path, body, { type });
      await add(name, path);
      const [old] = await find(query, name);
      const citation = `${name}:${old!.lines}@${old!.rev}`;
      const quoted = (await read(citation)).content;
      serve(path, format.changed, { type });
      assert.equal((await update(name)).status, 'refreshed');
      const [hit] = await find(query, name);
      assert.notEqual(hit!.rev, old!.rev);
      const pinned = await read(citation);
      // The second page of the PDF is as it was.
      assert.equal(pinned.status, what === 'a PDF' ? 'same' : 'changed');
      assert.equal(pinned.content === quoted, what === 'a PDF');
      const history = await blz.engine.docs.history(blz.call, { alias: name });
      assert.deepEqual(
        history.map(({ result }) => result),
        ['updated', 'added'],
      );
      assert.notEqual((await blz.engine.docs.diff(blz.call, { alias: name })).from, null);
      assert.equal((await update(name, { force: true })).status, 'unchanged');
    });

    test('what fails later keeps the text that is there', async () => {
      const name = alias(format, '-stays');
      serve(path, body, { type });
      await add(name, path);
      const [hit] = await find(query, name);
      const failures: [play.Play, string][] = [
        [play.status(404), 'FETCH_FAILED'],
        [play.status(410), 'FETCH_FAILED'],
        [play.htmlShell(), 'NOT_DOCUMENTATION'],
        [play.htmlShell(type), 'NOT_DOCUMENTATION'],
        [play.redirect('http://169.254.169.254/latest/meta-data'), 'URL_REFUSED'],
        [play.redirect('ftp://example.com/file'), 'URL_REFUSED'],
      ];
      for (const [answer, code] of failures) {
        blz.server.set(path, answer);
        const failed = await update(name);
        assert.equal(failed.status, 'error');
        assert.equal(failed.code, code, failed.message);
        assert.equal((await find(query, name))[0]!.rev, hit!.rev);
      }
      const [last] = await blz.engine.docs.history(blz.call, { alias: name });
      assert.equal(last!.result, 'failed');
      serve(path, body, { type });
      assert.equal((await update(name)).status, 'unchanged');
    });

    test('redirects are followed, and what is at their end decides', async () => {
      blz.server.set('/latest', play.redirect(path));
      serve(path, body, { type });
      const added = await add(alias(format, '-redirected'), '/latest');
      assert.equal(added.url, `${blz.server.origin}/latest`);
      assert.equal((await find(query, alias(format, '-redirected')))[0]!.headingPath.at(-1), heading);
    });

    test('served as bytes of no type it is known by its name and its content', async () => {
      serve(path, body, { type: 'application/octet-stream', encoding: 'gzip' });
      await add(alias(format, '-raw'), path);
      assert.equal((await find(query, alias(format, '-raw')))[0]!.headingPath.at(-1), heading);
    });
  });
}

describe('what only one of them has', () => {
  test('an operation is a section; the version of the description is the version of its hits', async () => {
    serve('/v/openapi.json', JSON.stringify(description('2.1.0')), { type: 'application/json' });
    await add('versions', '/v/openapi.json');
    const outline = await blz.engine.docs.outline(blz.call, { alias: 'versions' });
    assert.deepEqual(
      outline.map(({ headingPath }) => headingPath.at(-1)),
      ['Heron API', 'GET /herons', 'POST /herons/{id}/meals', 'Schema Heron'],
    );
    assert.equal((await find('feed heron', 'versions'))[0]!.docsVersion, '2.1.0');
    assert.deepEqual((await listed('versions')).title, 'Heron API');
    serve('/v/openapi.json', JSON.stringify(description('3.0.0')), { type: 'application/json' });
    await update('versions');
    assert.equal((await listed('versions')).docsVersion, '3.0.0');
    const asked = await blz.engine.docs.find(blz.call, {
      query: 'feed heron',
      source: 'versions',
      version: '2',
    });
    assert.deepEqual(asked.hits, []);
    assert.match(asked.notices!.map(({ message }) => message).join(), /no documentation of version 2 here/);
  });

  test('a description whose keys are sorted, at an address without a file name', async () => {
    const { info, openapi, paths } = description('1.0.0');
    serve('/v3/api-docs', JSON.stringify({ info, openapi, paths }), { type: 'application/json' });
    await add('sorted', '/v3/api-docs');
    assert.equal((await find('feed heron', 'sorted'))[0]!.headingPath.at(-1), 'POST /herons/{id}/meals');
  });

  test('the page of a PDF stands beside its citation, also after it is indexed again', async () => {
    serve('/p/birds.pdf', pdf(PAGES), { type: 'application/pdf' });
    await add('paged', '/p/birds.pdf');
    const pageOf = async () => {
      const [hit] = await find('bitterns hide', 'paged');
      return [hit!.alias, hit!.page, hit!.pageUrl];
    };
    const expected = ['paged', 3, `${blz.server.origin}/p/birds.pdf#page=3`];
    assert.deepEqual(await pageOf(), expected);
    assert.equal((await update('paged', { reindex: true })).status, 'reindexed');
    assert.deepEqual(await pageOf(), expected);
  });

  test('one file replaces another, or a text, leaving nothing behind', async () => {
    serve('/w/api.json', JSON.stringify(description('1.0.0')), { type: 'application/json' });
    serve('/w/birds.pdf', pdf(PAGES), { type: 'application/pdf' });
    serve('/w/plain.md', '# Plain\n\nWords.\n', { type: 'text/markdown' });
    for (const path of ['/w/api.json', '/w/birds.pdf', '/w/plain.md'])
      await blz.engine.docs.add(blz.call, { alias: 'swap', url: blz.server.origin + path, force: true });
    const details = (await blz.engine.docs.inspect(blz.call, 'swap'))[0]!;
    assert.deepEqual([details.documents, details.docsVersion], [1, undefined]);
    assert.equal((await find('words', 'swap'))[0]!.page, undefined);
  });

  test('a client adds one; a dry run says what would be added and stores nothing', async () => {
    serve('/t/openapi.json', JSON.stringify(description('1.0.0')), { type: 'application/json' });
    const url = `${blz.server.origin}/t/openapi.json`;
    const analysis = await blz.engine.docs.analyse(blz.call, { alias: 'tool', url });
    assert.deepEqual([analysis.variant, analysis.headerCount], ['file', 4]);
    const added = await blz.tool('source-add', { alias: 'tool', url });
    assert.equal(added.isError, false, added.text);
    assert.equal(
      (await blz.tool('find', { query: 'feed heron', source: 'tool' })).value.hits.length > 0,
      true,
    );
  });
});

describe('what is refused at once and leaves nothing behind', () => {
  const cases: [string, string, string | Buffer, string, ErrorCode, RegExp][] = [
    [
      'JSON that is no description',
      '/x.json',
      '{"name":"x"}',
      'application/json',
      'NOT_DOCUMENTATION',
      /JSON/,
    ],
    ['a picture', '/x.png', '\x89PNG\0\0', 'image/png', 'NOT_DOCUMENTATION', /image\/png/],
    ['text called a PDF', '/y.pdf', 'Not found, sorry.', 'text/plain', 'UNSUPPORTED_FORMAT', /not a PDF/],
    ['text sent as a PDF', '/z', 'Not found, sorry.', 'application/pdf', 'UNSUPPORTED_FORMAT', /not a PDF/],
    ['a damaged PDF', '/d.pdf', '%PDF-1.7 broken', 'application/pdf', 'FILE_UNREADABLE', /damaged/],
    [
      'a notebook of no cells',
      '/e.ipynb',
      '{"cells":[]}',
      'application/json',
      'NOT_DOCUMENTATION',
      /no text/,
    ],
    ['a notebook that is none', '/f.ipynb', '[1]', 'application/json', 'FILE_UNREADABLE', /not a notebook/],
    [
      'a description cut short',
      '/g.json',
      '{"openapi": "3.1.0", "paths": {',
      'application/json',
      'FILE_UNREADABLE',
      /damaged/,
    ],
  ];
  for (const [what, path, body, type, code, pattern] of cases)
    test(what, async () => {
      serve(`/refused${path}`, body, { type });
      await assert.rejects(add('refused', `/refused${path}`), fails(code, pattern));
      const { sources } = await blz.engine.docs.list(blz.call, { filter: 'refused' });
      assert.deepEqual(sources, []);
    });

  test('more than the limit, packed or not', async () => {
    const small = await openBlz({ env: { BLZ_MAX_BYTES: '200000' } });
    try {
      const long = JSON.stringify(description('1.0.0', 'long '.repeat(100_000)));
      for (const options of [{}, { encoding: 'gzip' as const }]) {
        small.server.set('/big/openapi.json', play.file(long, { type: 'application/json', ...options }));
        await assert.rejects(
          small.engine.docs.add(small.call, { alias: 'big', url: `${small.server.origin}/big/openapi.json` }),
          fails('TOO_LARGE', /200,000 bytes/),
        );
      }
    } finally {
      await small.close();
    }
  });
});

describe('what is made to do harm', () => {
  const levels = 300_000;
  const aliases = [
    'openapi: 3.0.0',
    'info: {title: Bomb}',
    'paths: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghijk'.split('').map((key, at) => {
      const last = 'abcdefghij'[at];
      return `${key}: &${key} [${`*${last},`.repeat(9)}]`;
    }),
  ].join('\n');
  const large = `&o {get: {summary: ${'words '.repeat(20_000)}}}`;
  const repeated = `openapi: 3.0.0\nx: ${large}\npaths:\n${Array.from({ length: 900 }, (_, at) => `  /p${at}: *o`).join('\n')}\n`;
  const bombs: [string, string, string | Buffer][] = [
    ['YAML of aliases of aliases', 'a.yaml', aliases],
    ['YAML that says 120 KB nine hundred times', 'b.yaml', repeated],
    ['YAML nested very deep', 'c.yaml', `openapi: 3.0.0\nx: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
    ...BOMBS.filter(({ what }) => /^PDF (?:compressed|whose)/.test(what)).map(
      ({ what, make }): [string, string, Buffer] => [what, 'd.pdf', make().bytes],
    ),
  ];
  for (const [what, name, body] of bombs)
    test(`${what}: refused, and the text that is there stays`, async () => {
      const harmless = name.endsWith('pdf') ? pdf(PAGES) : YAML;
      const path = `/bombs/${name}`;
      serve(path, harmless, {});
      await blz.engine.docs.add(blz.call, { alias: 'bomb', url: blz.server.origin + path, force: true });
      serve(path, body, {});
      const outcome = await update('bomb');
      assert.equal(outcome.status, 'error', outcome.message);
      assert.ok(['TOO_LARGE', 'TIMEOUT', 'FILE_UNREADABLE'].includes(outcome.code!), outcome.message);
      assert.ok((await find('reeds', 'bomb')).length > 0);
    });

  test('JSON nested very deep is read as far as it says something', async () => {
    const items = `${'{"properties":{},"items":'.repeat(levels)}{}${'}'.repeat(levels)}`;
    const deep = `{"openapi":"3.0.0","info":{"title":"Deep"},"paths":{"/a":{"get":{"summary":"Herons"}}},"components":{"schemas":{"A":${items}}}}`;
    serve('/deep/api.json', deep, { type: 'application/json' });
    await add('deep', '/deep/api.json');
    assert.equal((await find('herons', 'deep'))[0]!.headingPath.at(-1), 'GET /a');
    const cells = `{"nbformat":4,"cells":[${'['.repeat(levels)}${']'.repeat(levels)},{"cell_type":"markdown","source":"# Herons"}]}`;
    serve('/deep/a.ipynb', cells, { type: 'application/json' });
    await add('deeper', '/deep/a.ipynb');
    assert.equal((await find('herons', 'deeper'))[0]!.headingPath.at(-1), 'Herons');
  });
});
