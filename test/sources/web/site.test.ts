import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { FetchedFolder, FetchFolderOptions } from '../../../src/ports/source.ts';
import { createFetcher } from '../../../src/sources/web/fetcher.ts';
import { htmlToMarkdown, readHtml } from '../../../src/sources/web/html.ts';
import type { WebOptions } from '../../../src/sources/web/options.ts';
import { readRobots } from '../../../src/sources/web/robots.ts';
import * as play from '../../support/docs-server.ts';
import { fails } from '../../support/failure.ts';

let server: play.DocsServer;
beforeEach(async () => {
  server = await play.startDocsServer();
});
afterEach(() => server.close());

const HTML = { type: 'text/html; charset=utf-8' };
const FILLER = 'This page says enough to be a page of documentation and not the shell of an application. ';
const page = (title: string, body = '', links: readonly string[] = []): play.Play =>
  play.file(
    `<!doctype html><html><head><title>${title}</title></head><body><nav>Menu of everything</nav><main>` +
      `<h1>${title}</h1><p>${FILLER}${body}</p>${links.map((to) => `<a href="${to}">x</a>`).join('')}</main></body></html>`,
    HTML,
  );
const sitemap = (paths: readonly string[]): string =>
  `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>${server.origin}${path}</loc></url>`).join('')}</urlset>`;
const xml = (text: string | Buffer): play.Play => play.file(text, { type: 'application/xml' });

const waits: number[] = [];
const fetchSite = (path: string, options: FetchFolderOptions = {}, web: Partial<WebOptions> = {}) =>
  createFetcher({
    userAgent: 'vai-test',
    allowPrivate: [server.host],
    retries: 0,
    sleep: async (ms) => void waits.push(ms),
    ...web,
  }).fetchFolder(`site:${server.origin}${path}`, options);

async function fetched(path: string, options: FetchFolderOptions = {}, web: Partial<WebOptions> = {}) {
  const site = await fetchSite(path, options, web);
  assert.ok(site.changed);
  return site;
}
type Changed = Extract<FetchedFolder, { changed: true }>;
const pathsOf = ({ pages }: FetchedFolder): string[] => pages!.map(({ path }) => path).sort();
const text = (site: Changed, path: string): Promise<string> => readFile(join(site.folder, path), 'utf8');
const asked = (path: string): number => server.count(path);

describe('robots.txt', () => {
  const allows = (rules: string, path: string): boolean =>
    readRobots(rules, 'vai').allows(new URL(path, 'https://x.example'));

  test('the longest rule decides, of the group that names us or else the one for all', () => {
    const rules =
      'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\n\nUser-agent: other\nDisallow: /\n';
    assert.equal(allows(rules, '/a/x'), false);
    assert.equal(allows(rules, '/a/b/x'), true);
    assert.equal(allows(rules, '/c/x.pdf'), false);
    assert.equal(allows(rules, '/c/x.pdf?y'), true);
    const ours = 'User-agent: vai\nUser-agent: them\nDisallow: /p\nUser-agent: *\nDisallow: /\n';
    assert.equal(allows(ours, '/q'), true);
    assert.equal(allows(ours, '/p/x'), false);
    assert.equal(allows('User-agent: *\nDisallow:\n', '/x'), true);
    assert.equal(allows('User-agent: *\nDisallow: /a*b*c$', '/a-b-c'), false);
    assert.equal(allows('User-agent: *\nDisallow: /a*b*c$', '/a-b-cd'), true);
  });

  test('only so many rules of so much length are looked at', () => {
    const many = Array.from({ length: 2100 }, (_, at) => `Disallow: /p${at}-`).join('\n');
    assert.equal(allows(`User-agent: *\n${many}`, '/p1-'), false);
    assert.equal(allows(`User-agent: *\n${many}`, '/p2099-'), true);
    assert.equal(allows(`User-agent: *\nDisallow: /${'*a'.repeat(300)}`, `/${'a'.repeat(400)}`), true);
  });
});

describe('HTML as Markdown', () => {
  test('headings, code with its language, tables and tabs are kept; navigation is not', () => {
    const html =
      '<body><div role="navigation">Menu</div><main><h1>Page <a class="headerlink" href="#p">¶</a></h1>' +
      '<p>Call <code>run()</code>.</p><table><tr><th>Name</th><th>What</th></tr><tr><td><code>a|b</code></td>' +
      '<td><p>one</p><p>two</p></td></tr></table><pre><code class="language-ts">const a = 1;\n</code></pre>' +
      '<div role="tabpanel" hidden>Second tab</div><div hidden>Never shown</div></main><footer>End</footer></body>';
    assert.equal(
      htmlToMarkdown(html).text,
      '# Page\n\nCall `run()`.\n\n| Name | What |\n| --- | --- |\n| `a\\|b` | one two |\n\n```ts\nconst a = 1;\n```\n\nSecond tab',
    );
  });

  test('a table that only lays out a page keeps its headings and code', () => {
    const html = '<table><tr><td>Side</td><td><h2>Use</h2><pre>npm i</pre>Then run it.</td></tr></table>';
    assert.equal(htmlToMarkdown(html).text, 'Side\n\n## Use\n\n```\nnpm i\n```\n\nThen run it.');
  });
});

describe('a site with a sitemap', () => {
  test('its pages become documents under readable names, with their own validators', async () => {
    server.set(
      '/robots.txt',
      `User-agent: *\nDisallow: /docs/private/\nSitemap: ${server.origin}/maps/index.xml\n`,
    );
    server.set(
      '/maps/index.xml',
      xml(
        `<sitemapindex><sitemap><loc>${server.origin}/maps/a.xml</loc></sitemap><sitemap><loc>${server.origin}/maps/b.xml.gz</loc></sitemap></sitemapindex>`,
      ),
    );
    server.set(
      '/maps/a.xml',
      xml(sitemap(['/docs/', '/docs/install/', '/docs/private/x', '/blog/post', '/docs/logo.png'])),
    );
    server.set(
      '/maps/b.xml.gz',
      xml(gzipSync(sitemap(['/docs/api.html?a=1&amp;b=2', '/docs/api.html', '/docs/raw.md']))),
    );
    server.set('/docs/', page('Home'));
    server.set('/docs/install/', page('Install'));
    server.set('/docs/api.html', page('API'));
    server.set('/docs/api.html?a=1&b=2', page('API of another kind'));
    server.set('/docs/raw.md', play.file('# Raw\n\nMarkdown as it is.\n', { type: 'text/markdown' }));
    const site = await fetched('/docs/');
    const paths = pathsOf(site);
    assert.deepEqual(
      paths.filter((path) => !/-[0-9a-f]{8}\.md$/.test(path)),
      ['docs.md', 'docs/api.md', 'docs/install.md', 'docs/raw.md'],
    );
    assert.equal(paths.length, 5);
    assert.equal(asked('/docs/private/x') + asked('/blog/post') + asked('/docs/logo.png'), 0);
    assert.match(await text(site, 'docs/install.md'), /^# Install\n\nThis page says enough/);
    assert.equal(await text(site, 'docs/raw.md'), '# Raw\n\nMarkdown as it is.\n');
    assert.ok(site.pages!.every(({ etag }) => etag));
    assert.deepEqual(site.health, { total: 5, failed: 0, pending: 0 });
    await site.remove();
    assert.equal(existsSync(site.folder), false);
  });

  test('an update asks for each page with its own validators, keeps what fails and drops what is gone', async () => {
    const names = ['same', 'edited', 'broken', 'gone', 'unnamed'].map((name) => `/${name}`);
    server.set('/sitemap.xml', xml(sitemap(names)));
    for (const name of names) server.set(name, page(name));
    const first = await fetched('/');
    await first.remove();
    server.set('/edited', page('edited', 'With more.'));
    server.set('/broken', play.status(500));
    server.remove('/gone');
    server.set('/added', page('added'));
    server.set('/sitemap.xml', xml(sitemap(['/same', '/edited', '/broken', '/gone', '/added'])));
    const again = await fetched('/', { previous: { pages: first.pages! } });
    assert.deepEqual(pathsOf(again), ['added.md', 'broken.md', 'edited.md', 'same.md']);
    assert.match(again.pages!.find(({ path }) => path === 'broken.md')!.failed!, /500/);
    assert.deepEqual(again.health, { total: 4, failed: 1, pending: 0 });
    assert.match(again.notices.join('\n'), /1 page could not be read.*\/broken/);
    assert.match(again.notices.join('\n'), /1 unchanged, 1 changed, 1 new, 2 gone, 1 kept/);
    assert.equal(existsSync(join(again.folder, 'same.md')), false);
    assert.match(await text(again, 'edited.md'), /With more/);
    await again.remove();
    server.set('/broken', page('/broken'));
    const third = await fetchSite('/', { previous: { pages: again.pages! } });
    assert.equal(third.changed, false);
    assert.equal(
      third.pages!.some(({ failed }) => failed !== undefined),
      false,
    );
  });

  test('more pages than the limit are counted as pending', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `/p${at}`);
    server.set('/sitemap.xml', xml(sitemap(names)));
    for (const name of names) server.set(name, page(`Page ${name}`));
    const site = await fetched('/', {}, { maxPages: 10 });
    assert.deepEqual(site.health, { total: 10, failed: 0, pending: 20 });
    assert.match(site.notices.join(), /lists 30 pages; only the first 10 were read/);
    await site.remove();
  });
});

describe('a site without a sitemap', () => {
  test('is followed along its links, within its folder and its origin', async () => {
    server.set(
      '/guide/',
      page('Guide', '', [
        'one',
        '/guide/two#part',
        'https://other.example/',
        '/blog',
        'mailto:x@y.z',
        'pic.png',
      ]),
    );
    server.set('/guide/one', page('One', '', ['/guide/three', '/guide/']));
    server.set('/guide/two', page('Two'));
    server.set('/guide/three', page('Three'));
    const site = await fetched('/guide/');
    assert.deepEqual(pathsOf(site), ['guide.md', 'guide/one.md', 'guide/three.md', 'guide/two.md']);
    assert.equal(asked('/blog') + asked('/guide/pic.png'), 0);
    await site.remove();
    const again = await fetchSite('/guide/', { previous: { pages: site.pages! } });
    assert.equal(again.changed, false);
    assert.equal(server.requests.filter(({ headers }) => headers['if-none-match']).length, 4);
    server.set('/guide/', page('Guide', '', ['one', 'new']));
    server.set('/guide/new', page('New'));
    const third = await fetched('/guide/', { previous: { pages: site.pages! } });
    assert.ok(pathsOf(third).includes('guide/new.md'));
    await third.remove();
  });

  test('traps end: calendars, sessions, growing paths, redirect loops, endless and huge pages', async () => {
    server.set(
      '/',
      page('Start', '', [
        '/cal?d=1',
        '/a;jsessionid=1',
        '/a;jsessionid=2',
        '/x/x/',
        '/loop',
        '/huge',
        '/endless',
        '/twin',
      ]),
    );
    server.set('/a', page('A'));
    server.set('/twin', page('A'));
    server.set('/x/x/', page('X', '', ['x/']));
    server.set('/x/x/x/', page('XX'));
    server.set('/loop', play.redirect('/loop'));
    server.set(
      '/huge',
      play.file(`<html><body><main>${'<p>long</p>'.repeat(600_000)}</main></body></html>`, HTML),
    );
    server.set('/endless', play.endless());
    const site = await fetched('/');
    assert.deepEqual(
      pathsOf(site)
        .map((path) => (path === 'twin.md' ? 'a.md' : path))
        .sort(),
      ['a.md', 'index.md', 'x/x.md'],
    );
    assert.equal(asked('/cal?d=1') + asked('/x/x/x/'), 0);
    assert.equal(asked('/a'), 1);
    assert.equal(site.health!.failed, 3);
    await site.remove();
  });

  test('a page that is nested without end is refused before its links are read', async () => {
    server.set('/', page('Start', '', ['/deep']));
    server.set(
      '/deep',
      play.file(`<html><body>${'<i>'.repeat(5000)}<a href="/x">x</a>${'</b>'.repeat(5000)}`, HTML),
    );
    const site = await fetched('/');
    assert.deepEqual(pathsOf(site), ['index.md']);
    assert.match(site.notices.join(), /nested too deep/);
    assert.equal(asked('/x'), 0);
    await site.remove();
  });

  test('a large page is read where that holds nobody up, a small one at once', async () => {
    const large: number[] = [];
    server.set('/docs/', page('Start', '', ['large', 'small']));
    server.set('/docs/large', page('Large', FILLER.repeat(500)));
    server.set('/docs/small', page('Small'));
    const site = await fetched(
      '/docs/',
      {},
      {
        async readHtml(html) {
          large.push(html.length);
          return readHtml(html);
        },
      },
    );
    assert.deepEqual(pathsOf(site), ['docs.md', 'docs/large.md', 'docs/small.md']);
    assert.equal(large.length, 1);
    assert.match(await text(site, 'docs/large.md'), /^# Large/);
    await site.remove();
  });

  test('what robots.txt says to others costs nothing, however much it is', () => {
    const others = Array.from({ length: 2_000 }, (_, at) => `user-agent: a${at}`).join('\n');
    const rules = Array.from({ length: 2_000 }, (_, at) => `disallow: /${at}`).join('\n');
    const robots = readRobots(`${others}\n${rules}\nuser-agent: *\ndisallow: /private`, 'vai');
    assert.ok(robots.allows(new URL('https://x.example/7')));
    assert.ok(!robots.allows(new URL('https://x.example/private')));
    const starred = readRobots(`user-agent: VAI\ndisallow: /a**b*c$\ndisallow: ${'/x*'.repeat(20)}y`, 'vai');
    assert.ok(!starred.allows(new URL('https://x.example/a-b-c')));
    assert.ok(starred.allows(new URL('https://x.example/a-b-c-d')));
    assert.ok(
      !starred.allows(new URL(`https://x.example${'/x'.repeat(20)}`)),
      'cut to a shorter, wider pattern',
    );
  });

  test('a calendar of pages without end stops at the limit', async () => {
    for (let day = 0; day < 60; day += 1)
      server.set(`/d${day}`, page(`Day ${day}`, '', [`/d${day + 1}`, `/d${day + 2}`, `/d${day + 20}`]));
    const site = await fetched('/d0', {}, { maxPages: 12 });
    assert.equal(site.pages!.length, 12);
    assert.ok(site.health!.pending > 0);
    await site.remove();
  });

  test('noindex, nofollow and a redirect that leaves are obeyed', async () => {
    const meta = (content: string, links: string): play.Play =>
      play.file(
        `<html><head><meta name="robots" content="${content}"></head><body><main><p>${FILLER}</p>${links}</main></body></html>`,
        HTML,
      );
    server.set('/', page('Start', '', ['/hidden', '/stop', '/away']));
    server.set('/hidden', meta('noindex', '<a href="/kept">x</a>'));
    server.set('/stop', meta('nofollow', '<a href="/never">x</a>'));
    server.set('/kept', page('Kept', '', []));
    server.set('/never', page('Never'));
    server.set('/away', play.redirect('http://169.254.169.254/'));
    const site = await fetched('/');
    assert.deepEqual(pathsOf(site), ['index.md', 'kept.md', 'stop.md']);
    assert.equal(asked('/never'), 0);
    await site.remove();
  });
});

describe('a site that does not want to or cannot be read', () => {
  test('robots.txt that forbids or fails is obeyed, and a pause is kept', async () => {
    server.set('/', page('Start'));
    server.set('/robots.txt', 'User-agent: vai\nDisallow: /\n');
    await assert.rejects(fetchSite('/'), fails('URL_REFUSED', /robots\.txt .* does not allow/));
    server.set('/robots.txt', play.status(503));
    await assert.rejects(fetchSite('/'), fails('FETCH_FAILED', /robots\.txt .* answered 503/));
    assert.equal(asked('/'), 0);
    server.set('/robots.txt', 'User-agent: *\nCrawl-delay: 3\n');
    waits.length = 0;
    await (await fetched('/')).remove();
    assert.deepEqual(waits, [3000]);
  });

  test('an application shell and an address that is not there are no documentation', async () => {
    server.set('/', play.htmlShell());
    await assert.rejects(fetchSite('/'), fails('NOT_DOCUMENTATION', /No page with text/));
    await assert.rejects(fetchSite('/nothing/'), fails('NOT_DOCUMENTATION', /No page with text/));
  });

  test('the rules for outgoing addresses and the limit of bytes hold', async () => {
    server.set('/', page('Start', 'x'.repeat(5000), ['/b']));
    server.set('/b', page('B', 'y'.repeat(5000)));
    await assert.rejects(fetchSite('/', {}, { allowPrivate: false }), fails('URL_REFUSED', /https/));
    await assert.rejects(fetchSite('/', {}, { offline: true }), fails('OFFLINE', /switched off/));
    await assert.rejects(
      fetchSite('/', {}, { maxBytes: 8000 }),
      fails('TOO_LARGE', /larger than the limit together/),
    );
  });

  test('a caller who gives up ends it', async () => {
    const abort = new AbortController();
    server.set('/', (_request, response) => {
      abort.abort();
      response.end();
    });
    await assert.rejects(fetchSite('/', { signal: abort.signal }), fails('CANCELLED', /./));
  });
});
