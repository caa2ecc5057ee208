// Whether a stored text would be written again as it is. That its words are the same is not enough: it may have been
// stored without vectors, or another way of cutting may have been asked for.

import type { ChunkProfile } from '../../domain/chunk.ts';
import type { DocumentInfo, ReadText } from '../../domain/document.ts';
import type { Store } from '../../ports/store.ts';
import { chunkDocument } from '../text/chunk/chunk.ts';
import { outline } from '../text/headings.ts';
import type { Target } from './target.ts';

/** A document without a single vector in a collection that is searched by meaning. */
export async function needsVectors(
  store: Store,
  target: Pick<Target, 'lacksVectors'>,
  info: DocumentInfo,
): Promise<boolean> {
  if (info.partial) return true;
  if (!target.lacksVectors || info.chunks === 0) return false;
  const chunks = await store.documents.chunks(info.collection, info.path);
  return (await store.search.vectorsOf(chunks.map((chunk) => chunk.id))).size === 0;
}

export function asksForCutting(chunk: Partial<ChunkProfile> | undefined): boolean {
  return Object.values(chunk ?? {}).some((value) => value !== undefined);
}

/** Whether cutting it anew gives the chunks that are stored. */
export async function isCutAlike(
  store: Store,
  info: DocumentInfo,
  read: ReadText,
  profile: ChunkProfile,
): Promise<boolean> {
  const stored = await store.documents.chunks(info.collection, info.path);
  const structure = outline(read.text, read.syntax, read.headings);
  const cut = chunkDocument({ text: read.text, outline: structure, profile });
  return (
    stored.length === cut.length &&
    stored.every(({ start, end }, at) => start === cut[at]!.start && end === cut[at]!.end)
  );
}
