// What the reranker knows of a passage before it knows the query: numbers of its words and tokens, and its vectors.

import type { RerankCandidate } from '../../ports/reranker.ts';
import { embedIds } from './embed.ts';
import type { Lexicon, Numbered } from './lexicon.ts';
import { queryTerms, wordsOf } from './terms.ts';
import type { Weights } from './weights.ts';

export const MAX_TEXT = 8_000;
export const MAX_TERMS = 32;
const MAX_PLACE = 400;
/** Windows of tokens: each overlaps the next by half. */
const STEP = 24;

export interface Passage {
  /** Of the place it stands at, then of its text. */
  words: Numbered;
  /** How many of the words belong to the place. */
  place: number;
  /** Distinct stems of the title, and of the last heading. */
  title: readonly number[];
  heading: readonly number[];
  tokens: number;
  /** Every token once. */
  distinct: Int32Array;
  /** The vector of the whole, then those of its windows; of the whole alone where one window holds it. */
  vectors: Float32Array;
}

/** Of `weights.tokenizer` and `lexicon` as they are now. */
export function readPassage(weights: Weights, lexicon: Lexicon, candidate: RerankCandidate): Passage {
  const place = placeOf(candidate);
  const body = candidate.text.slice(0, MAX_TEXT);
  const placeWords = wordsOf(place);
  const names = [candidate.title, candidate.headingPath?.at(-1)];
  const [title, heading] = names.map((name) => stemsOf(lexicon, name)) as [number[], number[]];
  return {
    words: lexicon.number([...placeWords, ...wordsOf(body)], false),
    place: placeWords.length,
    title,
    heading,
    ...vectorsOf(weights, place ? `${place} ${body}` : body),
  };
}

function placeOf(candidate: RerankCandidate): string {
  const parts = [candidate.title, ...(candidate.headingPath ?? [])].filter(Boolean);
  return [...new Set(parts)].join(' ').slice(0, MAX_PLACE);
}

function stemsOf(lexicon: Lexicon, name: string | undefined): number[] {
  return name ? queryTerms(lexicon, name.slice(0, MAX_PLACE), MAX_TERMS).map(({ stem }) => stem) : [];
}

function vectorsOf(weights: Weights, text: string): Pick<Passage, 'tokens' | 'distinct' | 'vectors'> {
  const { dimensions, pooling } = weights;
  const ids = weights.ids.slice(0, weights.tokenizer.encodeInto(text, weights.ids));
  const windows = ids.length > 2 * STEP ? Math.ceil((ids.length - 2 * STEP) / STEP) + 1 : 0;
  const vectors = new Float32Array((1 + windows) * dimensions);
  const count = embedIds(weights, ids, ids.length, vectors.subarray(0, dimensions));
  const distinct = pooling.ids.slice(0, count);
  for (let window = 0; window < windows; window++) {
    const part = ids.subarray(window * STEP, (window + 2) * STEP);
    const at = (1 + window) * dimensions;
    embedIds(weights, part, part.length, vectors.subarray(at, at + dimensions));
  }
  return { tokens: ids.length, distinct, vectors };
}
