import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { VaiError } from '../../../src/domain/errors.ts';
import { createFetcher } from '../../../src/sources/web/fetcher.ts';
import { htmlToMarkdown } from '../../../src/sources/web/html.ts';
import { isLinkIndex, pagesOf, pageText } from '../../../src/sources/web/linkindex.ts';
import type { WebOptions } from '../../../src/sources/web/options.ts';
import { candidates, namesFile, pageVariants, siblingOf } from '../../../src/sources/web/variants.ts';
import * as play from '../../support/docs-server.ts';

let server: play.DocsServer;
before(async () => {
  server = await play.startDocsServer();
});
after(() => server.close());

async function fetchPages(path: string, options: Partial<WebOptions> = {}) {
  const fetcher = createFetcher({
    userAgent: 'vai-test',
    allowPrivate: [server.host],
    retries: 0,
    ...options,
  });
  const fetched = await fetcher.fetch(server.origin + path, {});
  assert.ok(fetched.changed && fetched.variant !== 'file');
  return { fetcher, fetched };
}

describe('an index without a full file', () => {
  test('is followed to its pages and joined, each with its source', async () => {
    server.set(
      '/a/llms.txt',
      '# Project\n\n> Summary\n\n## Docs\n\n- [Start](/a/start.md): first\n- [Guide](/a/guide)\n- [Page](/a/page.html)\n- [Elsewhere](https://other.example/x.md)\n- [Start again](/a/start.md#top)\n- [Missing](/a/missing.md)\n',
    );
    server.set('/a/start.md', play.file('# Start\n\nHello.\n', { type: 'text/markdown' }));
    server.set(
      '/a/guide.md',
      play.file('---\ntitle: The guide\n---\nNo heading here.\n', { type: 'text/markdown' }),
    );
    const filler = 'Long enough to be a page of documentation and not the shell of an application. '.repeat(
      4,
    );
    server.set(
      '/a/page.html',
      play.file(`<html><body><nav>Menu</nav><main><h1>Page</h1><p>${filler}</p></main></body></html>`, {
        type: 'text/html',
      }),
    );
    const { fetched, fetcher } = await fetchPages('/a');
    assert.equal(fetched.variant, 'pages');
    assert.equal(fetched.url, `${server.origin}/a/llms.txt`);
    assert.equal(
      fetched.text,
      `# Start\n\nSource: ${server.origin}/a/start.md\n\nHello.\n\n` +
        `# The guide\n\nSource: ${server.origin}/a/guide\n\nNo heading here.\n\n` +
        `# Page\n\nSource: ${server.origin}/a/page.html\n\n${filler.trim()}\n`,
    );
    assert.match(fetched.notices.join('\n'), /1 link to another site was not followed/);
    assert.match(fetched.notices.join('\n'), /1 page could not be read.*missing/);
    const again = await fetcher.fetch(`${server.origin}/a`, { previous: fetched });
    assert.equal(again.changed, false);
    server.set('/a/llms-full.txt', '# Everything\n\nIn one file now.\n');
    server.set('/a/start.md', play.file('# Start\n\nHello again.\n', { type: 'text/markdown' }));
    const later = await fetcher.fetch(`${server.origin}/a`, { previous: fetched });
    assert.equal(later.changed && later.variant, 'pages');
  });

  test('stays an index when a full file exists', async () => {
    server.set('/b/llms.txt', '# P\n\n- [One](/b/one.md)\n');
    server.set('/b/llms-full.txt', '# P\n\nEverything.\n');
    const { fetched, fetcher } = await fetchPages('/b/llms.txt');
    assert.equal(fetched.variant, 'llms');
    assert.match(fetched.variant === 'llms' ? fetched.full! : '', /llms-full\.txt$/);
    assert.equal(server.count('/b/one.md'), 0);
    server.set('/b/llms.txt', '# P\n\n- [One](/b/one.md)\n- [Two](/b/two.md)\n');
    server.remove('/b/llms-full.txt');
    const again = await fetcher.fetch(`${server.origin}/b/llms.txt`, { previous: fetched });
    assert.equal(again.changed && again.variant, 'llms');
  });

  test('takes at most so many pages, a few at a time', async () => {
    const links = Array.from({ length: 40 }, (_, at) => `- [Page ${at}](/c/p${at}.md)`);
    server.set('/c/llms.txt', `# C\n\n${links.join('\n')}\n`);
    for (let at = 0; at < 40; at++)
      server.set(`/c/p${at}.md`, (_request, response) => {
        setImmediate(() => play.file(`# Page ${at}\n`)(_request, response));
      });
    const from = server.requests.length;
    const { fetched } = await fetchPages('/c', { maxPages: 30, concurrency: 3 });
    const asked = server.requests.slice(from);
    assert.equal(asked.filter((request) => request.path.startsWith('/c/p')).length, 30);
    assert.ok(Math.max(...asked.map((request) => request.together)) <= 3);
    assert.match(fetched.notices.join(), /lists 40 pages; only the first 30/);
    const order = [...fetched.text.matchAll(/^# Page (\d+)$/gm)].map((match) => Number(match[1]));
    assert.deepEqual(
      order,
      Array.from({ length: 30 }, (_, at) => at),
    );
  });

  test('does not ask for Markdown that a site never has', async () => {
    const links = Array.from({ length: 20 }, (_, at) => `- [Page ${at}](/d/p${at})`);
    server.set('/d/llms.txt', `# D\n\n${links.join('\n')}\n`);
    for (let at = 0; at < 20; at++)
      server.set(
        `/d/p${at}`,
        play.file(`<html><body><p>${'Words of the page. '.repeat(10)}</p></body></html>`, {
          type: 'text/html',
        }),
      );
    const from = server.requests.length;
    await fetchPages('/d', { concurrency: 1 });
    const wasted = server.requests.slice(from).filter((request) => /p\d+\.md$/.test(request.path));
    assert.equal(wasted.length, 4);
  });

  test('is an error when no page can be had, and when all together are too large', async () => {
    server.set('/e/llms.txt', '# E\n\n- [One](/e/one.md)\n');
    await assert.rejects(fetchPages('/e'), (error: VaiError) => error.code === 'FETCH_FAILED');
    server.set('/e/one.md', `# One\n\n${'word '.repeat(400)}`);
    server.set('/e/llms.txt', '# E\n\n- [One](/e/one.md)\n- [Two](/e/two.md)\n');
    server.set('/e/two.md', `# Two\n\n${'word '.repeat(400)}`);
    await assert.rejects(
      fetchPages('/e', { maxBytes: 3000 }),
      (error: VaiError) => error.code === 'TOO_LARGE',
    );
  });
});

describe('pure parts', () => {
  test('what is an index', () => {
    assert.equal(isLinkIndex('# T\n\n- [a](b)\n- [c](d): text\n'), true);
    assert.equal(isLinkIndex('# T\n\nProse.\n\nMore prose.\n\n- [a](b)\n'), false);
    assert.equal(isLinkIndex('# T\n'), false);
  });

  test('links of an index: relative, once, same site, no assets', () => {
    const text =
      '- [A](a.md)\n- [A](./a.md)\n- [I](i.png)\n- [W](https://www.x.dev/w)\n- [O](https://o.dev/)\n- [M](mailto:a@b)';
    assert.deepEqual(pagesOf(text, 'https://x.dev/docs/llms.txt'), {
      pages: [
        { title: 'A', url: 'https://x.dev/docs/a.md' },
        { title: 'W', url: 'https://www.x.dev/w' },
      ],
      offSite: 1,
    });
  });

  test('a page without a heading gets its link text', () => {
    assert.equal(
      pageText({ title: 'T', url: 'https://x/y', text: 'Body\n' }),
      '# T\n\nSource: https://x/y\n\nBody',
    );
  });

  test('file names, siblings and candidates', () => {
    assert.equal(namesFile(new URL('https://x/docs/v1.2')), false);
    assert.equal(namesFile(new URL('https://x/docs/a.md?q=1')), true);
    assert.equal(siblingOf('https://x/llms.txt/llms-full.txt?v=1'), 'https://x/llms.txt/llms.txt?v=1');
    assert.equal(siblingOf('https://x/guide.txt'), undefined);
    assert.deepEqual(
      candidates('https://x').map((one) => one.url),
      ['https://x/llms-full.txt', 'https://x/llms.txt'],
    );
  });

  test('Markdown variants of a page', () => {
    assert.deepEqual(pageVariants('https://x/a'), ['https://x/a.md', 'https://x/a']);
    assert.deepEqual(pageVariants('https://x/a/'), [
      'https://x/a.md',
      'https://x/a/index.md',
      'https://x/a/',
    ]);
    assert.deepEqual(pageVariants('https://x/a.html'), [
      'https://x/a.md',
      'https://x/a.html.md',
      'https://x/a.html',
    ]);
    assert.deepEqual(pageVariants('https://x/a.txt'), ['https://x/a.txt']);
  });

  test('HTML to Markdown keeps headings, lists and code of the main part', () => {
    const page = htmlToMarkdown(
      '<html><head><title>T &amp; U</title><style>x{}</style></head><body><nav>no</nav><article><h1>Head <a>one</a></h1><p>Text with <code>code</code>.</p><ul><li>first</li><li>second</li></ul><pre><code>let a = 1;\n  b</code></pre></article><footer>no</footer></body></html>',
    );
    assert.equal(page.title, 'T & U');
    assert.equal(
      page.text,
      '# Head one\n\nText with `code`.\n\n- first\n- second\n\n```\nlet a = 1;\n  b\n```',
    );
  });
});
