// From ranked chunks to hits: fold what says the same, keep a document from filling the page, widen to blocks where
// asked, and mark the lines that match.

import { formatCitation } from '../../domain/citation.ts';
import type { LineRange } from '../../domain/lines.ts';
import type { Store } from '../../ports/store.ts';
import type { CollectionView } from '../scope.ts';
import { nearlySame, sketchOf } from './duplicates.ts';
import { highlight, type Highlight } from './highlight.ts';
import type { Candidate } from './rerank.ts';
import type { Terms } from './terms.ts';
import type { SearchHit } from './types.ts';

const MAX_BLOCK_LINES = 120;
const PER_DOCUMENT = 3;

export interface Selection {
  collections: readonly CollectionView[];
  perDocument?: number;
  blocks: boolean;
  /** Hits wanted from the start, before the page is cut out. */
  count: number;
}

interface Chosen {
  candidate: Candidate;
  lines: LineRange;
  /** Never above that of the one before: what a reranker did not read stands below what it did. */
  score: number;
}

/** Takes candidates best first, in as many batches as it needs, and keeps those worth showing. */
export function selector(selection: Selection): {
  add(candidates: readonly Candidate[]): void;
  readonly full: boolean;
  readonly chosen: Chosen[];
} {
  const singles = new Set(selection.collections.filter((c) => c.stats.documents <= 1).map((c) => c.name));
  const limit = selection.perDocument ?? PER_DOCUMENT;
  const chosen: Chosen[] = [];
  const sketches: Uint32Array[] = [];
  const blocks = new Set<string>();
  const perDocument = new Map<string, number>();
  const take = (candidate: Candidate): void => {
    const { chunk } = candidate;
    const lines = selection.blocks ? blockOf(candidate) : { start: chunk.startLine, end: chunk.endLine };
    const document = `${chunk.collection}\n${chunk.path}`;
    const place = `${document}\n${lines.start}-${lines.end}`;
    if (selection.blocks && blocks.has(place)) return;
    const seen = perDocument.get(document) ?? 0;
    if (seen >= limit && !singles.has(chunk.collection)) return;
    const print = sketchOf(chunk);
    if (sketches.some((other) => nearlySame(print, other))) return;
    blocks.add(place);
    perDocument.set(document, seen + 1);
    sketches.push(print);
    chosen.push({ candidate, lines, score: Math.min(chosen.at(-1)?.score ?? 1, candidate.score) });
  };
  return {
    chosen,
    get full() {
      return chosen.length >= selection.count;
    },
    add(candidates) {
      for (const candidate of candidates) {
        if (chosen.length >= selection.count) return;
        take(candidate);
      }
    },
  };
}

/** The heading block, or the chunk itself where the block is too long to be one hit. */
function blockOf({ chunk }: Candidate): LineRange {
  const { start, end } = chunk.block;
  return end - start < MAX_BLOCK_LINES ? { start, end } : { start: chunk.startLine, end: chunk.endLine };
}

interface Shown {
  /** What to mark; undefined: nothing is marked. */
  terms: Terms | undefined;
  excerpt: number | undefined;
}

const unmarked = (): Highlight => ({ matchLines: [], snippet: '' });

export async function toHits(
  store: Store,
  chosen: readonly Chosen[],
  { terms, excerpt }: Shown,
): Promise<SearchHit[]> {
  const texts = await blockTexts(store, chosen);
  return chosen.map((one) => {
    const { candidate, lines, score } = one;
    const { chunk, fused, rerank } = candidate;
    const text = texts.get(one) ?? chunk.text;
    const marks = terms ? highlight(text, lines.start, terms, excerpt) : unmarked();
    return {
      id: chunk.id,
      citation: formatCitation({
        collection: chunk.collection,
        path: chunk.path,
        ranges: [lines],
        hash: chunk.sha256,
      }),
      collection: chunk.collection,
      path: chunk.path,
      title: chunk.title,
      source: chunk.path || chunk.origin || chunk.collection,
      ...(chunk.origin ? { origin: chunk.origin } : {}),
      headingPath: chunk.headingPath,
      lines,
      ...(chunk.page === undefined ? {} : { page: chunk.page }),
      ...marks,
      text,
      score,
      scores: { ...fused.scores, ...(rerank === undefined ? {} : { rerank }) },
      metadata: chunk.metadata,
      sha256: chunk.sha256,
      fetchedAt: chunk.fetchedAt,
      chunkIndex: chunk.ordinal,
      totalChunks: chunk.totalChunks,
    };
  });
}

/** Text of the chosen lines where they are wider than the chunk. */
async function blockTexts(store: Store, chosen: readonly Chosen[]): Promise<ReadonlyMap<Chosen, string>> {
  const wider = chosen.filter(
    ({ candidate: { chunk }, lines }) => lines.start !== chunk.startLine || lines.end !== chunk.endLine,
  );
  if (wider.length === 0) return new Map();
  const texts = await store.documents.lines(
    wider.map(({ candidate: { chunk }, lines }) => ({
      collection: chunk.collection,
      path: chunk.path,
      lines,
    })),
  );
  return new Map(wider.map((one, at) => [one, texts[at] ?? one.candidate.chunk.text]));
}
