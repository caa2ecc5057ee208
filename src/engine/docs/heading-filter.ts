// Which hits stand under a heading of some level, or have a match in the heading itself. Levels are the number of marks,
// which a heading path does not tell, so the outlines of the documents are read.

import type { Heading } from '../../domain/document.ts';
import { firstIndex } from '../../domain/first-index.ts';
import { oncePerKey } from '../../domain/once.ts';
import type { Store } from '../../ports/store.ts';
import type { SearchHit } from '../search/types.ts';

export interface HeadingChoice {
  /** Only hits under a heading of these levels. */
  levels?: readonly number[];
  /** Only hits whose heading holds a word of the query. */
  headingsOnly?: boolean;
}

export function choosesHeadings({ levels, headingsOnly }: HeadingChoice): boolean {
  return levels !== undefined || headingsOnly === true;
}

export async function underHeadings(
  store: Store,
  hits: readonly SearchHit[],
  { levels, headingsOnly }: HeadingChoice,
): Promise<SearchHit[]> {
  const outlineOf = oncePerKey((collection: string) =>
    oncePerKey((path: string) => headingsOf(store, collection, path)),
  );
  const kept: SearchHit[] = [];
  for (const hit of hits) {
    const own = headingsIn(await outlineOf(hit.collection)(hit.path), hit);
    const fit = own.filter(({ level }) => !levels || levels.includes(level));
    // A later part of a long block does not hold the heading it stands under.
    const matches = fit.some(({ line }) => hit.matchLines.includes(line));
    if (matches || (!headingsOnly && own.length > 0 && fit[0] === own[0])) kept.push(hit);
  }
  return kept;
}

/** None where the outline is made of windows of lines, which stand in for headings. */
async function headingsOf(store: Store, collection: string, path: string): Promise<readonly Heading[]> {
  const info = await store.documents.get(collection, path);
  return info?.headings ? ((await store.documents.headings(collection, path)) ?? []) : [];
}

/**
 * The heading a hit stands under, then those of its introduction: a heading with no text of its own begins the section below
 * it. Outlines are in the order of lines.
 */
function headingsIn(outline: readonly Heading[], { lines, headingPath }: SearchHit): Heading[] {
  const before = firstIndex(outline.length, (at) => outline[at]!.line > lines.start) - 1;
  const after = firstIndex(outline.length, (at) => outline[at]!.line > lines.end);
  const inside = outline.slice(Math.max(0, before), after);
  const path = JSON.stringify(headingPath);
  const own = inside.findIndex((heading) => JSON.stringify(heading.path) === path);
  if (own !== -1) return [inside[own]!, ...inside.slice(0, own)];
  return before === -1 ? [] : inside.slice(0, 1);
}
