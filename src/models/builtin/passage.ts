// What the reranker knows of a passage before it knows the query: numbers of its words and tokens, and its vectors. One
// is read into another that is no longer needed: thousands of them, each of a few arrays, would else wait to be collected.

import type { RerankCandidate } from '../../ports/reranker.ts';
import { embedIds } from './embed.ts';
import type { Lexicon } from './lexicon.ts';
import { queryTerms } from './terms.ts';
import type { Weights } from './weights.ts';

export const MAX_TEXT = 8_000;
export const MAX_TERMS = 32;
const MAX_PLACE = 400;
/** Arrays grow by so many numbers. */
const GRAIN = 128;
/** Windows of tokens: each overlaps the next by half. */
const STEP = 24;

export interface Passage {
  text: string;
  title: string | undefined;
  headingPath: readonly string[];
  /** Two numbers a word, the stem's and its own: of the place it stands at, then of its text. */
  numbers: Int32Array;
  words: number;
  /** How many of the words belong to the place. */
  placeWords: number;
  /** Distinct stems of the title, and of the last heading. */
  titleStems: readonly number[];
  headingStems: readonly number[];
  tokens: number;
  /** Every token once; `kinds` of them. */
  distinct: Int32Array;
  kinds: number;
  whole: Float32Array;
}

export function blankPassage(dimensions: number): Passage {
  return {
    text: '',
    title: undefined,
    headingPath: [],
    numbers: new Int32Array(GRAIN * 2),
    words: 0,
    placeWords: 0,
    titleStems: [],
    headingStems: [],
    tokens: 0,
    distinct: new Int32Array(GRAIN),
    kinds: 0,
    whole: new Float32Array(dimensions),
  };
}

/** Fills `passage` with what there is to know of the candidate; answers its tokens, which are good until the next. */
export type ReadPassage = (candidate: RerankCandidate, passage: Passage) => Int32Array;

export function createPassageReader(weights: Weights, lexicon: Lexicon): ReadPassage {
  const { tokenizer, pooling } = weights;
  // A buffer of its own: `weights.ids` is overwritten with every vector.
  const room = new Int32Array(weights.ids.length);

  return (candidate, passage) => {
    const place = placeOf(candidate);
    const body = candidate.text.slice(0, MAX_TEXT);
    const text = place ? `${place} ${body}` : body;
    passage.text = body;
    passage.title = candidate.title;
    passage.headingPath = [...(candidate.headingPath ?? [])];
    passage.titleStems = stemsOf(lexicon, candidate.title);
    passage.headingStems = stemsOf(lexicon, candidate.headingPath?.at(-1));
    passage.placeWords = place ? lexicon.read(place).length / 2 : 0;
    const numbers = lexicon.read(text);
    passage.numbers = copied(numbers, passage.numbers);
    passage.words = numbers.length / 2;
    const ids = room.subarray(0, tokenizer.encodeInto(text, room));
    passage.tokens = ids.length;
    passage.kinds = embedIds(weights, ids, ids.length, passage.whole);
    passage.distinct = copied(pooling.ids.subarray(0, passage.kinds), passage.distinct);
    return ids;
  };
}

/** None where one window holds the whole. */
export function windowsOf({ length }: Int32Array): number {
  return length > 2 * STEP ? Math.ceil(length / STEP) - 1 : 0;
}

export function embedWindow(weights: Weights, ids: Int32Array, window: number, vector: Float32Array): void {
  const part = ids.subarray(window * STEP, (window + 2) * STEP);
  embedIds(weights, part, part.length, vector);
}

function copied(from: Int32Array, into: Int32Array): Int32Array {
  const target = from.length <= into.length ? into : new Int32Array(Math.ceil(from.length / GRAIN) * GRAIN);
  target.set(from);
  return target;
}

function placeOf(candidate: RerankCandidate): string {
  const parts = [candidate.title, ...(candidate.headingPath ?? [])].filter(Boolean);
  return [...new Set(parts)].join(' ').slice(0, MAX_PLACE);
}

function stemsOf(lexicon: Lexicon, name: string | undefined): number[] {
  return name ? queryTerms(lexicon, name.slice(0, MAX_PLACE), MAX_TERMS).map(({ stem }) => stem) : [];
}
