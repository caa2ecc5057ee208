// Chooses the passages worth showing from candidates in order: duplicates are shown once, neighbours in one section are
// merged, one document does not fill the page, and hits are widened to their blocks if asked.

import type { LineRange } from '../../domain/lines.ts';
import type { StoredChunk } from '../../ports/store.ts';
import type { CollectionView } from '../scope.ts';
import { nearlySame, sketch } from './duplicates.ts';
import { isCode } from './rank-code.ts';
import type { Candidate } from './rerank.ts';

const MAX_BLOCK_LINES = 120;
const PER_DOCUMENT = 3;
/** Passages that are joined into one hit, and their characters: no more than one passage may have, or others come too late. */
const MAX_JOINED = 4;
const MAX_JOINED_TEXT = 1_500;

export interface Selection {
  collections: readonly CollectionView[];
  /** Most hits of one document; a collection of one document has no such limit, nor has code, whose order sees to it. */
  perDocument?: number;
  blocks: boolean;
  /** Whether neighbouring passages of one section become one hit. */
  join: boolean;
}

export interface Chosen {
  /** The best passage first, then those beside it. */
  candidates: Candidate[];
  lines: LineRange;
  /** Never above that of the one before: what a reranker did not read stands below what it did. */
  score: number;
}

/**
 * Takes candidates best first, a batch at a time. Passages are joined within a batch only: so as long as batches begin at
 * the same places, the hits are the same whatever part of them a page shows.
 */
export function selector(selection: Selection): {
  add(batch: readonly Candidate[]): void;
  readonly chosen: readonly Chosen[];
} {
  const singles = new Set(selection.collections.filter((c) => c.stats.documents <= 1).map((c) => c.name));
  const chosen: Chosen[] = [];
  const sketches: Uint32Array[] = [];
  const blocks = new Set<string>();
  const documents = new Map<string, Chosen[]>();

  function take(candidate: Candidate, batch: number): void {
    const { chunk } = candidate;
    const lines = selection.blocks ? blockOf(chunk) : { start: chunk.startLine, end: chunk.endLine };
    const document = `${chunk.collection}\n${chunk.path}`;
    const place = `${document}\n${lines.start}-${lines.end}`;
    if (selection.blocks && blocks.has(place)) return;
    const print = sketch(chunk.text);
    if (sketches.some((other) => nearlySame(print, other))) return;
    const shown = documents.get(document) ?? [];
    const limit = selection.perDocument ?? (isCode(chunk) ? Infinity : PER_DOCUMENT);
    // Who asks about code looks for a file: within the same tokens, more of them are seen where passages stay short.
    const beside =
      selection.join && !isCode(chunk)
        ? shown.find((hit) => chosen.indexOf(hit) >= batch && standsBeside(hit, chunk))
        : undefined;
    if (!beside && shown.length >= limit && !singles.has(chunk.collection)) return;
    sketches.push(print);
    blocks.add(place);
    if (beside) {
      beside.candidates.push(candidate);
      beside.lines = {
        start: Math.min(beside.lines.start, lines.start),
        end: Math.max(beside.lines.end, lines.end),
      };
      return;
    }
    const score = Math.min(chosen.at(-1)?.score ?? 1, candidate.score);
    const hit = { candidates: [candidate], lines, score };
    chosen.push(hit);
    documents.set(document, [...shown, hit]);
  }

  return {
    chosen,
    add(batch) {
      const first = chosen.length;
      for (const candidate of batch) take(candidate, first);
    },
  };
}

/** Sections stay hits of their own, so that a citation names no more than was found. */
function standsBeside({ candidates }: Chosen, { ordinal, text, block }: StoredChunk): boolean {
  const length = candidates.reduce((sum, { chunk }) => sum + chunk.text.length, text.length);
  return (
    candidates.length < MAX_JOINED &&
    length <= MAX_JOINED_TEXT &&
    candidates.some(
      ({ chunk }) => Math.abs(chunk.ordinal - ordinal) === 1 && chunk.block.start === block.start,
    )
  );
}

/** The heading block, or the chunk itself where the block is too long to be one hit. */
function blockOf({ block, startLine, endLine }: StoredChunk): LineRange {
  return block.end - block.start < MAX_BLOCK_LINES ? { ...block } : { start: startLine, end: endLine };
}
