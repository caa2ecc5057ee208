// Reading an llms.txt that is only a list of links: is it one, and which pages does it name? Pure.

import { sameSite } from './variants.ts';

export interface IndexLink {
  title: string;
  url: string;
}

const LINK = /\[([^[\]]{0,300})\]\(\s*<?([^)\s>]{1,2000})>?(?:\s+"[^"]*")?\s*\)/g;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+.{0,80}?\[[^[\]]{0,300}\]\(/;

const MAX_FRONT_MATTER = 20_000;
/** No list that people keep is longer, and it is read while others wait. */
const MAX_INDEX = 1_000_000;

/** Mostly list items with a link: at least half of the lines that are neither blank, heading nor quote. */
export function isLinkIndex(text: string): boolean {
  if (text.length > MAX_INDEX) return false;
  let items = 0;
  let others = 0;
  for (const line of text.split('\n')) {
    if (/^\s*$|^\s*#|^\s*>/.test(line)) continue;
    if (ITEM.test(line)) items += 1;
    else others += 1;
  }
  return items > 0 && items >= others;
}

/** What an index calls the whole: its first heading. */
export function titleOf(text: string): string {
  const line = text
    .slice(0, 4000)
    .split('\n')
    .find((one) => /^#\s+\S/.test(one));
  return line?.replace(/^#\s+/, '').trim().slice(0, 200) ?? '';
}

/** Pages of the same site, each once, in the order of the index; how many links lead elsewhere. */
export function pagesOf(text: string, indexUrl: string): { pages: IndexLink[]; offSite: number } {
  const base = new URL(indexUrl);
  const seen = new Set<string>();
  const pages: IndexLink[] = [];
  let offSite = 0;
  for (const match of text.matchAll(LINK)) {
    if (!URL.canParse(match[2]!, base.href)) continue;
    const url = new URL(match[2]!, base);
    url.hash = '';
    if (!/^https?:$/.test(url.protocol) || url.username || url.password) continue;
    if (!sameSite(base, url)) {
      offSite += 1;
      continue;
    }
    if (seen.has(url.href) || /\/llms(-full)?\.txt$/i.test(url.pathname) || isAsset(url)) continue;
    seen.add(url.href);
    pages.push({ title: match[1]!.trim(), url: url.href });
  }
  return { pages, offSite };
}

export function isAsset(url: URL): boolean {
  return /\.(png|jpe?g|gif|svg|webp|ico|css|m?js|zip|gz|tgz|pdf|mp4|webm|woff2?)$/i.test(url.pathname);
}

export interface JoinedPage extends IndexLink {
  text: string;
}

/** One text of all pages, in order. */
export function joinSections(sections: readonly string[]): string {
  return sections.join('\n\n') + '\n';
}

/** A page under its top heading, with a `Source:` line. */
export function pageText(page: JoinedPage): string {
  const { title, body } = withoutFrontMatter(page.text);
  const lines = body.trim().split('\n');
  const top = lines.findIndex((line) => line.trim() !== '');
  const source = `Source: ${page.url}`;
  if (/^#\s+\S/.test(lines[top] ?? '')) {
    lines.splice(top + 1, 0, '', source);
    return lines.join('\n');
  }
  const heading = (title || page.title || new URL(page.url).pathname).replaceAll(/\s+/g, ' ');
  return [`# ${heading}`, '', source, '', ...lines].join('\n');
}

/** A page of its own begins with its title. */
export function titled(text: string, url: string, title = ''): string {
  const body = text.trim();
  if (/^#\s+\S/.test(body) || body.startsWith('---\n')) return `${body}\n`;
  const heading = (title || new URL(url).pathname).replaceAll(/\s+/g, ' ');
  return `# ${heading}\n\n${body}\n`;
}

/** Front matter in the middle of a joined text would read as a heading. */
function withoutFrontMatter(text: string): { title: string; body: string } {
  const normal = text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
  if (!normal.startsWith('---\n')) return { title: '', body: normal };
  const end = /^---[ \t]*$/m.exec(normal.slice(4, MAX_FRONT_MATTER));
  if (!end) return { title: '', body: normal };
  const title = /^title:(.*)$/m.exec(normal.slice(4, 4 + end.index))?.[1]?.trim() ?? '';
  const body = normal.slice(4 + end.index + end[0].length).replace(/^\n/, '');
  return { title: title.replace(/^(["'])(.*)\1$/, '$2'), body };
}
