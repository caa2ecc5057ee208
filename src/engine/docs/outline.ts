// The outline of a source: what `blz map` prints and `inspect` shows two levels of.

import { formatRange } from '../../domain/lines.ts';
import { withoutTrailing } from '../../domain/text.ts';
import type { Store } from '../../ports/store.ts';
import { findDocument } from '../cite/locate.ts';
import { documentsOf } from '../documents.ts';
import type { CollectionView } from '../scope.ts';
import type { OutlineEntry } from './types.ts';

const MAX_ENTRIES = 50_000;

export interface OutlineRequest {
  /** Only this document, or those in this folder. */
  path?: string;
  maxDepth?: number;
  /** Levels to show; all when none is named. */
  levels?: readonly number[];
  /** Only headings that contain this, in any case. */
  filter?: string;
}

export async function outline(
  store: Store,
  collection: CollectionView,
  request: OutlineRequest,
): Promise<OutlineEntry[]> {
  const filter = request.filter?.toLowerCase();
  const entries: OutlineEntry[] = [];
  let isThere = request.path === undefined;
  for await (const { path } of documentsOf(store, collection.name)) {
    if (!isAt(path, request.path)) continue;
    isThere = true;
    for (const heading of (await store.documents.headings(collection.name, path)) ?? []) {
      if (entries.length >= MAX_ENTRIES) return entries;
      if (heading.path.length > (request.maxDepth ?? Infinity)) continue;
      if (request.levels && !request.levels.includes(heading.level)) continue;
      if (filter && !heading.text.toLowerCase().includes(filter)) continue;
      entries.push({
        headingPath: heading.path,
        level: heading.level,
        lines: formatRange(heading.block),
        sectionLines: formatRange(heading.section),
        id: heading.anchor,
        ...(path ? { path } : {}),
      });
    }
  }
  if (!isThere) await findDocument(store, collection, request.path!);
  return entries;
}

function isAt(path: string, wanted: string | undefined): boolean {
  return wanted === undefined || path === wanted || path.startsWith(`${withoutTrailing(wanted, '/')}/`);
}
