// A website as documents: the pages its sitemap names, or else those its links lead to, within the folder that was asked
// for and what robots.txt allows. Every page is asked for with its own validators; one that fails keeps what it had.
// Traps cost little: the number of pages, their depth and the time are bounded, no query is followed, and a text that
// comes under several addresses is stored once.

import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { atMost } from '../../domain/few-at-a-time.ts';
import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import { decoded, plural } from '../../domain/text.ts';
import type { FetchedFolder, FetchFolderOptions, SitePage } from '../../ports/source.ts';
import { visit } from './follow.ts';
import { isAsset } from './linkindex.ts';
import type { WebSettings } from './options.ts';
import { checkUrl, shown, type Answer, type Connections } from './request.ts';
import { readRobots, type Robots } from './robots.ts';
import { openScratch, safePath, type Scratch } from './scratch.ts';
import { readPage } from './site-page.ts';
import { sitemapPages } from './sitemap.ts';
import { conditions, stampsOf } from './stamps.ts';

const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const MAX_ROBOTS_BYTES = 500_000;
const MAX_PATH_NAMES = 12;
const MAX_CLICKS = 10;
const MAX_SEEN = 20_000;
const MAX_ADDRESS = 500;
const PRODUCT = 'vai';

interface Walk {
  start: URL;
  /** What the paths of its pages begin with. */
  folder: string;
  robots: Robots;
  scratch: Scratch;
  settings: WebSettings;
  signal: AbortSignal;
  deadline: AbortSignal;
  options: Options;
  before: ReadonlyMap<string, SitePage>;
  /** Of this time, by address; and the address that has a text, by its hash. */
  pages: Map<string, SitePage>;
  texts: Map<string, string>;
  paths: Set<string>;
  count: { unchanged: number; changed: number; new: number; kept: number; failed: number };
  failures: string[];
  notices: string[];
  bytes: number;
  /** Pages that are known of and were not asked for. */
  pending: number;
}

type Options = FetchFolderOptions & { connections: Connections };

export async function fetchSite(
  address: string,
  options: Options,
  settings: WebSettings,
): Promise<FetchedFolder> {
  const start = checkUrl(address.replace(/^site:/i, ''), settings);
  start.hash = '';
  const deadline = AbortSignal.timeout(settings.pagesMs);
  const before = new Map((options.previous?.pages ?? []).map((page) => [page.url, page]));
  const scratch = await openScratch();
  try {
    const walk: Walk = {
      start,
      folder: start.pathname.slice(0, start.pathname.lastIndexOf('/') + 1),
      robots: { allows: () => true, delay: 0, sitemaps: [] },
      scratch,
      settings,
      deadline,
      signal: options.signal ? AbortSignal.any([deadline, options.signal]) : deadline,
      options,
      before,
      pages: new Map(),
      texts: new Map([...before.values()].map(({ sha256, url }) => [sha256, url])),
      paths: new Set([...before.values()].map(({ path }) => path)),
      count: { unchanged: 0, changed: 0, new: 0, kept: 0, failed: 0 },
      failures: [],
      notices: [],
      bytes: 0,
      pending: 0,
    };
    walk.robots = await robotsOf(walk);
    const named = await namedPages(walk);
    if (named.length > 0) await readAll(walk, named);
    else await crawl(walk);
    return result(walk);
  } catch (thrown) {
    await scratch.remove();
    throw thrown;
  }
}

function ask(
  walk: Walk,
  url: string,
  maxBytes: number,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { signal, options, settings } = walk;
  return visit(url, { headers, signal, connections: options.connections, maxBytes }, settings);
}

/** A site that cannot say what may be read is not read. */
async function robotsOf(walk: Walk): Promise<Robots> {
  const { start } = walk;
  const answer = await ask(walk, new URL('/robots.txt', start).href, MAX_ROBOTS_BYTES);
  if (answer.status === 429 || answer.status >= 500) {
    throw new VaiError('FETCH_FAILED', `The robots.txt of ${shown(start.host)} answered ${answer.status}.`, {
      hint: 'Nothing is read from a site that cannot say what may be read; try again later.',
    });
  }
  const robots = readRobots(answer.status === 200 ? answer.body.toString('utf8') : '', PRODUCT);
  if (robots.allows(start)) return robots;
  throw new VaiError('URL_REFUSED', `The robots.txt of ${shown(start.host)} does not allow this address.`, {
    hint: 'Add an llms.txt, a file or a repository instead.',
  });
}

async function namedPages(walk: Walk): Promise<string[]> {
  const { start, robots, settings, notices } = walk;
  const own = robots.sitemaps.filter((url) => URL.canParse(url) && new URL(url).origin === start.origin);
  const guesses = [new URL('sitemap.xml', start).href, new URL('/sitemap.xml', start).href];
  const found = await sitemapPages(own.length > 0 ? own : guesses, (url, most) =>
    ask(walk, url, most).catch((thrown: unknown) => {
      throwIfAborted(walk.options.signal);
      if (toVaiError(thrown).code === 'OFFLINE') throw thrown;
      return undefined;
    }),
  );
  const named = await allowed(walk, [...new Set(found)].slice(0, MAX_SEEN));
  walk.pending = Math.max(0, named.length - settings.maxPages);
  if (walk.pending > 0)
    notices.push(`The sitemap lists ${named.length} pages; only the first ${settings.maxPages} were read.`);
  return named.slice(0, settings.maxPages);
}

/** Many addresses and many rules are work: others have their turn in between. */
async function allowed(walk: Walk, urls: readonly string[]): Promise<string[]> {
  const named = new Set<string>();
  for (const [at, url] of urls.entries()) {
    const page = pageAt(walk, url);
    if (page !== undefined) named.add(page);
    if (at % 50 === 49) await setImmediate();
  }
  return [...named];
}

/**
 * From the first page along its links, one click further each time. What was found before is asked for too, because a
 * page that has not changed does not show its links.
 */
async function crawl(walk: Walk): Promise<void> {
  const { start, before, settings, notices } = walk;
  let wave = [...new Set([start.href, ...before.keys()])].slice(0, settings.maxPages);
  const seen = new Set(wave);
  let taken = wave.length;
  for (let clicks = 0; clicks <= MAX_CLICKS && wave.length > 0; clicks += 1) {
    const next: string[] = [];
    await readAll(walk, wave, async (links, base) => {
      for (const [at, link] of links.entries()) {
        if (at % 50 === 49) await setImmediate();
        const url = addressOf(walk, link, base);
        // Each address is judged once, and no site may keep us judging.
        if (!url || seen.has(url.href) || seen.size >= MAX_SEEN) continue;
        seen.add(url.href);
        if (isTrap(url) || !walk.robots.allows(url)) continue;
        if (taken < settings.maxPages) {
          taken += 1;
          next.push(url.href);
        } else walk.pending += 1;
      }
    });
    wave = next;
  }
  if (walk.pending > 0) notices.push(`The site has more pages; only ${settings.maxPages} were read.`);
}

/** A page of this site: no fragment, no session in the path. */
function addressOf({ start, folder }: Walk, link: string, base: URL): URL | undefined {
  if (link.length > MAX_ADDRESS || !URL.canParse(link, base.href)) return undefined;
  const url = new URL(link, base);
  url.hash = '';
  url.pathname = url.pathname.replaceAll(/;[^/]*/g, '');
  const inside = url.href === start.href || url.pathname.startsWith(folder);
  const page = url.origin === start.origin && !url.username && inside && !isAsset(url);
  return page && !/\.(?:xml|json|atom|rss)$/i.test(url.pathname) ? url : undefined;
}

/** The same, where it may be read. */
function pageAt(walk: Walk, link: string): string | undefined {
  const url = addressOf(walk, link, walk.start);
  return url && walk.robots.allows(url) ? url.href : undefined;
}

/** Calendars, sessions and links that add to their own path: queries, deep paths, names that come three times. */
function isTrap({ search, pathname }: URL): boolean {
  const names = pathname.split('/').filter(Boolean);
  const most = Math.max(0, ...names.map((name) => names.filter((other) => other === name).length));
  return search !== '' || names.length > MAX_PATH_NAMES || most > 2;
}

type Found = (links: readonly string[], base: URL) => Promise<void> | void;

/** A few at a time, or one by one where the site asks for a pause. */
async function readAll(walk: Walk, urls: readonly string[], found: Found = () => undefined): Promise<void> {
  const { robots, settings, signal, deadline, options } = walk;
  const left = new Set(urls);
  await atMost(robots.delay > 0 ? 1 : settings.concurrency, urls, async (url) => {
    if (deadline.aborted) return;
    left.delete(url);
    if (robots.delay > 0) await settings.sleep(robots.delay * 1000, signal).catch(() => undefined);
    await readOne(walk, url, found);
    throwIfAborted(options.signal);
    options.onProgress?.(walk.pages.size, walk.pages.size + left.size, 'Fetching pages');
  });
  for (const url of left) keep(walk, url, 'time ran out');
}

async function readOne(walk: Walk, url: string, found: Found): Promise<void> {
  const before = walk.before.get(url);
  try {
    const answer = await ask(walk, url, Math.min(MAX_PAGE_BYTES, walk.settings.maxBytes), conditions(before));
    if (answer.status === 304 && before) {
      walk.count.unchanged += 1;
      walk.pages.set(url, { ...without(before), ...stampsOf(answer) });
      return;
    }
    if (answer.status === 404 || answer.status === 410) {
      // Nobody waits for a page that the server says is not there.
      if (!before) note(walk, url, `answered ${answer.status}`);
      return;
    }
    if (answer.status !== 200) return keep(walk, url, `answered ${answer.status}`);
    // A redirect may lead to another page, which then is the one that is kept.
    const at = pageAt(walk, answer.url);
    if (at === undefined || (at !== url && walk.pages.has(at))) return;
    const { text, links } = await readPage(answer, walk.settings.readHtml, walk.signal);
    await found(links, new URL(answer.url));
    if (text !== undefined) await store(walk, { url: at, text, answer });
  } catch (thrown) {
    const error = toVaiError(thrown);
    throwIfAborted(walk.options.signal);
    if (error.code === 'OFFLINE' || (error.code === 'TOO_LARGE' && walk.bytes > walk.settings.maxBytes))
      throw error;
    keep(walk, url, error.message);
  }
}

async function store(
  walk: Walk,
  { url, text, answer }: { url: string; text: string; answer: Answer },
): Promise<void> {
  const { before, pages, texts, count, scratch, settings } = walk;
  const sha256 = hash('sha256', text, 'hex');
  const old = before.get(url);
  const twin = texts.get(sha256);
  if (twin !== undefined && twin !== url) return;
  texts.set(sha256, url);
  const path = old?.path ?? pathFor(walk, new URL(url));
  pages.set(url, { url, path, sha256, ...stampsOf(answer) });
  if (old?.sha256 === sha256) {
    count.unchanged += 1;
    return;
  }
  walk.bytes += Buffer.byteLength(text);
  if (walk.bytes > settings.maxBytes) {
    throw new VaiError('TOO_LARGE', 'The pages of this site are larger than the limit together.', {
      hint: 'Name a folder of the site, or raise BLZ_MAX_BYTES if you trust it.',
    });
  }
  count[old ? 'changed' : 'new'] += 1;
  await scratch.write(path, text);
}

/** A page that cannot be had now keeps the text it had. */
function keep(walk: Walk, url: string, why: string): void {
  const before = walk.before.get(url);
  if (!before) return fail(walk, url, why);
  walk.count.kept += 1;
  note(walk, url, why);
  walk.pages.set(url, { ...before, failed: why.slice(0, 200) });
}

function fail(walk: Walk, url: string, why: string): void {
  walk.count.failed += 1;
  note(walk, url, why);
}

function note({ failures }: Walk, url: string, why: string): void {
  if (failures.length < 3) failures.push(`${shown(url)} (${why})`);
}

function without({ failed: _failed, ...page }: SitePage): SitePage {
  return page;
}

/** `/guide/install/` is `guide/install.md`; where two addresses would be the same file, one has a mark. */
function pathFor({ paths }: Walk, url: URL): string {
  const plain = decoded(url.pathname).replace(/^\/+/, '').replace(/\/$/, '');
  const name = (plain === '' ? 'index' : plain).replace(/\.(?:html?|mdx?|markdown|txt|php|aspx?)$/i, '');
  const mark = hash('sha256', url.href, 'hex').slice(0, 8);
  const safe =
    safePath(name) && !name.split('/').some((part) => part.startsWith('.')) ? name : `page-${mark}`;
  const free = url.search === '' && !paths.has(`${safe}.md`) ? safe : `${safe}-${mark}`;
  paths.add(`${free}.md`);
  return `${free}.md`;
}

async function result(walk: Walk): Promise<FetchedFolder> {
  const { start, pages, before, count, failures, scratch, notices } = walk;
  const failed = count.kept + count.failed;
  if (failed > 0)
    notices.push(`${plural(failed, 'page')} could not be read, for example ${failures.join('; ')}.`);
  if (pages.size === 0) {
    throw new VaiError('NOT_DOCUMENTATION', `No page with text was found at ${shown(start.href)}.`, {
      hint: failures[0]
        ? `${failures[0]}`
        : 'The site may need a browser; look for an llms.txt or its repository.',
    });
  }
  const gone = [...before.keys()].filter((url) => !pages.has(url)).length;
  if (before.size > 0)
    notices.push(
      `Pages: ${count.unchanged} unchanged, ${count.changed} changed, ${count.new} new, ${gone} gone, ` +
        `${count.kept} kept as they were because they could not be read, ${count.failed} failed.`,
    );
  const list = [...pages.values()];
  const health = { total: list.length + count.failed, failed, pending: walk.pending };
  const common = { url: start.href, notices, pages: list, health };
  if (before.size > 0 && count.changed + count.new + gone === 0) {
    await scratch.remove();
    return { changed: false, ...common };
  }
  return {
    changed: true,
    ...common,
    folder: scratch.folder,
    title: start.host + (start.pathname === '/' ? '' : start.pathname),
    remove: () => scratch.remove(),
  };
}
