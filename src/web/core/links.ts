// Where a link of a document leads inside its collection.

import type { Citation } from './citation.ts';
import type { Heading } from './outline.ts';

/** The citation behind a relative address or an anchor of the same document; undefined for anything else. */
export function resolveLink(
  from: Citation,
  address: string,
  headings: readonly Heading[],
): string | undefined {
  if (address.startsWith('#')) {
    const wanted = decoded(address.slice(1)).toLowerCase();
    const heading = headings.find(({ title }) => slug(title) === wanted);
    return heading ? `${from.name}:${heading.line}` : undefined;
  }
  const path = decoded(address.split(/[?#]/, 1)[0]!);
  if (path === '' || from.path === '' || /^[a-z][a-z0-9+.-]*:|^\//i.test(path)) return undefined;
  if (!/\.(?:md|mdx|markdown|txt)$/i.test(path)) return undefined;
  const parts = from.path.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return `${from.collection}/${parts.join('/')}:1`;
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** As it is where its escapes are wrong. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
