// The page a line of a joined text came from: a `Source:` or `URL:` line near a page's top heading says so. Found once
// when a text is stored and kept beside it, because finding it again means reading the whole text.

import type { Heading } from '../../domain/document.ts';
import { firstIndex } from '../../domain/first-index.ts';
import { indexLines, sliceLines } from '../../domain/lines.ts';
import type { PageStamps } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';

/** First line of the page and its address, by line. */
export type PageMap = readonly (readonly [line: number, url: string])[];

const MARK = /^(?:Source|URL):\s*<?(https?:\/\/[^\s<>]{1,2000})>?\s*$/i;
const NEAR = 5;
const MAX_PAGES = 20_000;

export function pagesOf(text: string, headings: readonly Heading[]): PageMap {
  const index = indexLines(text);
  const pages: [number, string][] = [];
  for (const heading of headings) {
    if (heading.level > 2 || pages.length >= MAX_PAGES) continue;
    const last = Math.min(heading.line + NEAR, heading.block.end, index.count);
    for (let line = heading.line + 1; line <= last; line++) {
      const url = MARK.exec(sliceLines(text, { start: line, end: line }, index))?.[1];
      if (!url) continue;
      pages.push([heading.line, url]);
      break;
    }
  }
  return pages;
}

export function pageAt(pages: PageMap, line: number): string | undefined {
  return pages[firstIndex(pages.length, (at) => pages[at]![0] > line) - 1]?.[1];
}

const keyOf = (collection: string): string => `docs.pages:${collection}`;

export async function keepPages(
  store: Store,
  collection: string,
  sha256: string,
  pages: PageMap,
): Promise<void> {
  await store.setMeta(keyOf(collection), JSON.stringify({ sha256, pages }));
}

/** With the hash of the text they are of: of another one they say nothing. */
export async function keptPages(
  store: Store,
  collection: string,
): Promise<{ sha256: string; pages: PageMap } | undefined> {
  const kept = await store.getMeta(keyOf(collection));
  return kept ? (JSON.parse(kept) as { sha256: string; pages: PageMap }) : undefined;
}

const stampsKey = (collection: string): string => `docs.stamps:${collection}`;

/** The validators of the pages of a followed index, for the next conditional requests. */
export async function keepStamps(
  store: Store,
  collection: string,
  stamps: PageStamps | undefined,
): Promise<void> {
  if (stamps) await store.setMeta(stampsKey(collection), JSON.stringify(stamps));
}

export async function keptStamps(store: Store, collection: string): Promise<PageStamps> {
  return JSON.parse((await store.getMeta(stampsKey(collection))) ?? '{}') as PageStamps;
}
