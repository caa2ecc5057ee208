// Which chunks have what a query looks for, and how well they match: BM25 over postings, in the numbers of the embedded
// store. Each collection is ranked by its own statistics.

import { bm25, MOST_IN_FIELD, roundedScore, type Statistics } from '../../../../domain/words/bm25.ts';
import { BODY, type Leaf, type Plan, type QueryPlan } from '../../../../domain/words/plan.ts';
import { ALL_WORDS_BOOST } from '../../../../domain/query.ts';
import { fieldOf, type Posting } from './postings.ts';

/** Some neighbouring chunks of a document, with the postings of the words that were read of them. */
export interface Group {
  doc: string;
  source: string;
  /** Position in the document of the first of them. */
  first: number;
  terms: Map<string, Posting[]>;
}

/** A chunk that matches, by its position in the group. */
export interface Match {
  group: Group;
  chunk: number;
  score: number;
}

export interface Ranking {
  plan: QueryPlan;
  statistics: Statistics;
  /** What the beginning of a word stands for. */
  endings: { get(beginning: string): readonly string[] | undefined };
}

/** All chunks of one collection that match, in no order. */
export function matchesIn(groups: readonly Group[], ranking: Ranking): Match[] {
  const open = (plans: readonly Plan[]): Part[] => plans.map((plan) => openPart(groups, plan, ranking));
  const { plan } = ranking;
  const [should, must, not] = [open(plan.should), open(plan.must), open(plan.not)];
  // The share of what the query could give at most: so scores of collections compare, whose words are not equally rare.
  const most = [...should, ...must].reduce((sum, part) => sum + part.most, 0);
  return groups.flatMap((group, at) => {
    const scores = (parts: readonly Part[]): Scores[] => parts.map((part) => part.scores[at]!);
    return matchGroup({ should: scores(should), must: scores(must), not: scores(not) }).map(
      ({ chunk, score }) => ({ group, chunk, score: roundedScore(score / most) }),
    );
  });
}

/** What each chunk of a group gets for a part of the query; one that has it not is not there. */
type Scores = Map<number, number>;

function matchGroup(query: Record<'should' | 'must' | 'not', Scores[]>): { chunk: number; score: number }[] {
  const { should, must, not } = query;
  const wanted = sumOf(should, 1);
  const required = sumOf(must, must.length);
  const found: { chunk: number; score: number }[] = [];
  for (const [chunk, score] of must.length > 0 ? required : wanted) {
    if (not.some((excluded) => excluded.has(chunk))) continue;
    const extra = must.length > 0 ? (wanted.get(chunk) ?? 0) : 0;
    const complete = should.length > 0 && should.every((scores) => scores.has(chunk));
    found.push({ chunk, score: (score + extra) * (complete ? ALL_WORDS_BOOST : 1) });
  }
  return found;
}

/** Of the chunks that have at least so many of the parts. */
function sumOf(parts: readonly Scores[], least: number): Scores {
  if (parts.length === 1) return parts[0]!;
  const sums: Scores = new Map();
  const counts = new Map<number, number>();
  for (const scores of parts)
    for (const [chunk, score] of scores) {
      sums.set(chunk, (sums.get(chunk) ?? 0) + score);
      counts.set(chunk, (counts.get(chunk) ?? 0) + 1);
    }
  for (const [chunk, count] of counts) if (count < least) sums.delete(chunk);
  return sums;
}

/** A part of the query: the most it can give, and what it gives in each of the groups. */
interface Part {
  most: number;
  scores: Scores[];
}

function openPart(groups: readonly Group[], plan: Plan, ranking: Ranking): Part {
  if (plan.kind === 'leaf') return openLeaf(groups, plan, ranking);
  const parts = plan.parts.map((part) => openPart(groups, part, ranking));
  const every = plan.kind === 'and';
  const most = parts.map((part) => part.most);
  return {
    most: every ? most.reduce((sum, value) => sum + value, 0) : Math.max(...most),
    scores: groups.map((_, at) =>
      sumOf(
        parts.map((part) => part.scores[at]!),
        every ? parts.length : 1,
      ),
    ),
  };
}

function openLeaf(groups: readonly Group[], leaf: Leaf, { statistics, endings }: Ranking): Part {
  const counted = groups.map((group) => countsIn(group, leaf, endings));
  const holding = counted.reduce((sum, found) => sum + found.length, 0);
  // What was counted may be older than what was read.
  const { most, base, perWord } = bm25(Math.min(holding, statistics.chunks), statistics);
  return {
    most,
    scores: counted.map(
      (found) =>
        new Map(
          found.map(({ chunk, count, length }) => [
            chunk,
            (most * count) / (count + base + perWord * length),
          ]),
        ),
    ),
  };
}

interface Counted {
  chunk: number;
  length: number;
  /** How often it has the words in a row, weighed by field. */
  count: number;
}

function countsIn(group: Group, leaf: Leaf, endings: Ranking['endings']): Counted[] {
  const { terms, prefix, weights } = leaf;
  const last = terms.length - 1;
  const lists = terms.map((term, at) =>
    prefix && at === last
      ? (endings.get(term) ?? []).flatMap((word) => group.terms.get(word) ?? [])
      : (group.terms.get(term) ?? []),
  );
  if (last === 0)
    return merged(lists[0]!.map((posting) => ({ ...posting, count: weightOf(posting, weights) })));
  const following = lists.slice(1).map(placesByChunk);
  return lists[0]!.flatMap(({ chunk, length, places }) => {
    const found = places.filter((place) =>
      following.every((others, at) => others.get(chunk)?.has(place + at + 1)),
    );
    const count = found.reduce((sum, place) => sum + weights[fieldOf(place)]!, 0);
    return count > 0 ? [{ chunk, length, count }] : [];
  });
}

/** How often one word stands in a chunk, weighed by field. */
function weightOf({ places }: Posting, weights: readonly number[]): number {
  const counts = weights.map(() => 0);
  for (const place of places) counts[fieldOf(place)]! += 1;
  return counts.reduce(
    (sum, count, field) => sum + weights[field]! * (field === BODY ? count : Math.min(count, MOST_IN_FIELD)),
    0,
  );
}

/** All words that begin alike count as one. */
function merged(counted: readonly Counted[]): Counted[] {
  const byChunk = new Map<number, Counted>();
  for (const { chunk, length, count } of counted) {
    const known = byChunk.get(chunk);
    if (known) known.count += count;
    else if (count > 0) byChunk.set(chunk, { chunk, length, count });
  }
  return [...byChunk.values()];
}

function placesByChunk(postings: readonly Posting[]): Map<number, Set<number>> {
  const byChunk = new Map<number, Set<number>>();
  for (const { chunk, places } of postings) {
    const known = byChunk.get(chunk);
    if (known) for (const place of places) known.add(place);
    else byChunk.set(chunk, new Set(places));
  }
  return byChunk;
}
