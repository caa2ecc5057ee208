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
    const heading = headingAt(await outlineOf(hit.collection)(hit.path), hit.lines.start);
    if (!heading || (levels && !levels.includes(heading.level))) continue;
    // A later part of a long block does not hold the heading it stands under.
    if (headingsOnly && (heading.line < hit.lines.start || !hit.matchLines.includes(heading.line))) continue;
    kept.push(hit);
  }
  return kept;
}

/** None where the outline is made of windows of lines, which stand in for headings. */
async function headingsOf(store: Store, collection: string, path: string): Promise<readonly Heading[]> {
  const info = await store.documents.get(collection, path);
  return info?.headings ? ((await store.documents.headings(collection, path)) ?? []) : [];
}

/** The last heading that begins at or before a line; outlines are in the order of lines. */
function headingAt(outline: readonly Heading[], line: number): Heading | undefined {
  return outline[firstIndex(outline.length, (at) => outline[at]!.block.start > line) - 1];
}
