// Which addresses to try for a URL, in order, and what an address's name says about its text. Pure.

export type Variant = 'llms-full' | 'llms' | 'custom';

/** A last path segment with a letters-only extension names a file; `/v1.2` does not. */
export function namesFile(url: URL): boolean {
  return /\.[a-z]{1,8}$/i.test(lastSegment(url));
}

export function variantOf(url: string): Variant {
  const name = lastSegment(new URL(url)).toLowerCase();
  if (name === 'llms-full.txt') return 'llms-full';
  return name === 'llms.txt' ? 'llms' : 'custom';
}

/** `llms-full.txt` for `llms.txt` and the other way round; only the last path segment is swapped. */
export function siblingOf(input: string): string | undefined {
  const url = new URL(input);
  const other = { 'llms-full.txt': 'llms.txt', 'llms.txt': 'llms-full.txt' }[lastSegment(url).toLowerCase()];
  if (!other) return undefined;
  url.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1) + other;
  return url.href;
}

export interface Candidate {
  url: string;
  /** Only what was asked for itself may fail the whole; guesses are passed over. */
  guess: boolean;
}

/**
 * A URL that names a file is tried as given, then its sibling. Otherwise the two well-known names beneath it, then the
 * address itself (it may serve plain text), then the two names at the host's root.
 */
export function candidates(input: string, fallback?: string): Candidate[] {
  const url = new URL(input);
  url.hash = '';
  const list: Candidate[] = [];
  const add = (candidate: string | undefined, guess: boolean): void => {
    if (candidate && !list.some((one) => one.url === candidate)) list.push({ url: candidate, guess });
  };
  if (namesFile(url)) {
    add(url.href, false);
    add(fallback, true);
    add(siblingOf(url.href), true);
    return list;
  }
  const base = new URL(url.href);
  base.search = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  add(new URL('llms-full.txt', base).href, true);
  add(new URL('llms.txt', base).href, true);
  if (base.pathname !== '/') {
    add(url.href, true);
    add(new URL('/llms-full.txt', base).href, true);
    add(new URL('/llms.txt', base).href, true);
  }
  add(fallback, true);
  return list;
}

/** Addresses at which a page may be had as Markdown, best first, the page itself last. */
export function pageVariants(input: string): string[] {
  const url = new URL(input);
  url.hash = '';
  const path = url.pathname;
  const at = (pathname: string): string => {
    const copy = new URL(url.href);
    copy.pathname = pathname;
    return copy.href;
  };
  if (/\.(md|mdx|markdown|txt)$/i.test(path)) return [url.href];
  if (/\.html?$/i.test(path)) return [at(path.replace(/\.html?$/i, '.md')), at(`${path}.md`), url.href];
  if (path === '/') return [at('/index.md'), url.href];
  if (path.endsWith('/')) return [at(`${path.slice(0, -1)}.md`), at(`${path}index.md`), url.href];
  return [at(`${path}.md`), url.href];
}

/** Which rule a page address came from, so that a rule a site does not follow is not tried 500 times. */
export function ruleOf(page: string, variant: string): string {
  if (page === variant) return 'self';
  const path = new URL(variant).pathname;
  if (path.endsWith('/index.md')) return 'index.md';
  return /\.html?\.md$/i.test(path) ? '.html.md' : '.md';
}

/** The same site: the same host, with or without `www.`, over the same scheme or better. */
export function sameSite(one: URL, other: URL): boolean {
  const plain = (url: URL): string => url.host.replace(/^www\./, '');
  return plain(one) === plain(other) && (one.protocol === other.protocol || other.protocol === 'https:');
}

function lastSegment(url: URL): string {
  return url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
}
