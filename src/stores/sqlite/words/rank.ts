// BM25 over the chunks of one collection, in windows of consecutive chunks: every leaf adds its part to a small array,
// then the window is scanned. Each posting is read once.

import { ALL_WORDS_BOOST } from '../../../domain/query.ts';
import { bm25, type Bm25, type Statistics } from '../../../domain/words/bm25.ts';
import type { Plan, QueryPlan } from '../../../domain/words/plan.ts';
import { openLeaf, type OpenLeaf } from './leaves.ts';
import { WINDOW } from './lengths.ts';
import { AT_END } from './postings.ts';
import type { WordIndex } from './segments.ts';

/** Scores of a window, how many parts of a query each chunk has, and which chunks have any. */
class Scores {
  readonly scores = new Float64Array(WINDOW);
  readonly hits = new Uint8Array(WINDOW);
  readonly touched = new Uint16Array(WINDOW);
  size = 0;

  add(at: number, score: number): void {
    if (this.hits[at] === 0) this.touched[this.size++] = at;
    this.hits[at]! += 1;
    this.scores[at]! += score;
  }

  clear(): void {
    for (let index = 0; index < this.size; index += 1) {
      const at = this.touched[index]!;
      this.hits[at] = 0;
      this.scores[at] = 0;
    }
    this.size = 0;
  }
}

/** Used again by the next search. */
const [wanted, required, excluded] = [new Scores(), new Scores(), new Scores()];

/** What matches in one window. */
export interface Matches {
  chunks: Uint32Array;
  scores: Float64Array;
  size: number;
}

const matches: Matches = { chunks: new Uint32Array(WINDOW), scores: new Float64Array(WINDOW), size: 0 };

interface Window {
  first: number;
  end: number;
  /** Of each chunk plus one; zero where it is gone. */
  lengths: Uint16Array;
}

/** A part of a query, opened. */
interface Node {
  /** The most it can give a chunk. */
  most: number;
  next(): number;
  /** Adds to the scores of a window, and one to the hits of chunks that have it. */
  add(window: Window, to: Scores): void;
}

/**
 * Calls back with all chunks that match, window by window; where `any` will do, only with the first window's. Hot loops here and at the other end stand in functions of their
 * own that call no function made for one search: V8 compiles those again for each.
 */
export function rank(
  index: WordIndex,
  asked: { plan: QueryPlan; statistics: Statistics; any: boolean },
  visit: (matches: Matches) => void,
): void {
  const { plan, any } = asked;
  const open = (plans: readonly Plan[]): Node[] => plans.map((part) => openNode(index, part, asked));
  const [should, must, not] = [open(plan.should), open(plan.must), open(plan.not)];
  // A share of the highest possible score, so that collections in which words are not equally rare can be compared.
  const most = [...should, ...must].reduce((sum, node) => sum + node.most, 0);
  const leading = must.length > 0 ? must : should;
  const counted = { should: should.length, must: must.length, most };
  for (let next = firstOf(leading); next !== AT_END; next = firstOf(leading)) {
    const number = Math.floor(next / WINDOW);
    const first = number * WINDOW;
    const window = { first, end: first + WINDOW, lengths: index.lengths.of(index.collection, number) };
    for (const node of should) node.add(window, wanted);
    for (const node of must) node.add(window, required);
    for (const node of not) node.add(window, excluded);
    match(first, counted);
    visit(matches);
    for (const scores of [wanted, required, excluded]) scores.clear();
    if (any && matches.size > 0) return;
  }
}

/** The chunks of a window that match, out of so many words of either kind. */
function match(first: number, { should, must, most }: { should: number; must: number; most: number }): void {
  const candidates = must > 0 ? required : wanted;
  let size = 0;
  for (let index = 0; index < candidates.size; index += 1) {
    const at = candidates.touched[index]!;
    if (required.hits[at] !== must || excluded.hits[at] !== 0) continue;
    const boost = should > 0 && wanted.hits[at] === should ? ALL_WORDS_BOOST : 1;
    matches.chunks[size] = first + at;
    matches.scores[size] = ((wanted.scores[at]! + required.scores[at]!) * boost) / most;
    size += 1;
  }
  matches.size = size;
}

function firstOf(nodes: readonly Node[]): number {
  let first = AT_END;
  for (const node of nodes) first = Math.min(first, node.next());
  return first;
}

function openNode(index: WordIndex, plan: Plan, asked: { statistics: Statistics; any: boolean }): Node {
  if (plan.kind === 'leaf') return leafNode(openLeaf(index, plan, asked.any), asked.statistics);
  const parts = plan.parts.map((part) => openNode(index, part, asked));
  const own = new Scores();
  const every = plan.kind === 'and';
  const most = parts.map((part) => part.most);
  return {
    most: every ? most.reduce((sum, value) => sum + value, 0) : Math.max(...most),
    next: () => firstOf(parts),
    add(window, to) {
      for (const part of parts) part.add(window, own);
      const needed = every ? parts.length : 1;
      for (let index = 0; index < own.size; index += 1) {
        const at = own.touched[index]!;
        if (own.hits[at]! >= needed) to.add(at, own.scores[at]!);
      }
      own.clear();
    },
  };
}

const chunks = new Uint32Array(WINDOW);
const counts = new Float64Array(WINDOW);

function leafNode(leaf: OpenLeaf, statistics: Statistics): Node {
  const weights = bm25(leaf.total, statistics);
  return {
    most: weights.most,
    next: () => leaf.next(),
    add({ first, end, lengths }, to) {
      // Windows that the required words skipped.
      for (let next = leaf.next(); next < first; next = leaf.next())
        leaf.fill((Math.floor(next / WINDOW) + 1) * WINDOW, chunks, counts);
      addScores(leaf.fill(end, chunks, counts), { first, lengths, weights, to });
    },
  };
}

/** Of the first `size` of `chunks`. */
function addScores(
  size: number,
  { first, lengths, weights, to }: Pick<Window, 'first' | 'lengths'> & { weights: Bm25; to: Scores },
): void {
  const { most, base, perWord } = weights;
  for (let index = 0; index < size; index += 1) {
    const at = chunks[index]! - first;
    const length = lengths[at]!;
    if (length === 0) continue;
    const count = counts[index]!;
    to.add(at, (most * count) / (count + base + perWord * (length - 1)));
  }
}
