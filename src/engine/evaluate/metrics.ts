// Retrieval measures over a ranking of document ids and its judgements. Pure: the benchmark and `vai eval` share them.

export type Judgements = ReadonlyMap<string, number>;

export interface Measures {
  ndcg10: number;
  recall5: number;
  recall10: number;
  recall100: number;
  mrr: number;
}

/** Linear gain, as the published figures of our sets are computed. */
export function ndcg(ranking: readonly string[], relevant: Judgements, depth = 10): number {
  let gain = 0;
  ranking.slice(0, depth).forEach((id, at) => (gain += (relevant.get(id) ?? 0) / Math.log2(at + 2)));
  const ideal = [...relevant.values()]
    .sort((a, b) => b - a)
    .slice(0, depth)
    .reduce((sum, value, at) => sum + value / Math.log2(at + 2), 0);
  return ideal > 0 ? gain / ideal : 0;
}

export function recall(ranking: readonly string[], relevant: Judgements, depth: number): number {
  if (relevant.size === 0) return 0;
  return ranking.slice(0, depth).filter((id) => relevant.has(id)).length / relevant.size;
}

export function reciprocalRank(ranking: readonly string[], relevant: Judgements): number {
  const at = ranking.findIndex((id) => relevant.has(id));
  return at === -1 ? 0 : 1 / (at + 1);
}

export function measure(ranking: readonly string[], relevant: Judgements): Measures {
  return {
    ndcg10: ndcg(ranking, relevant),
    recall5: recall(ranking, relevant, 5),
    recall10: recall(ranking, relevant, 10),
    recall100: recall(ranking, relevant, 100),
    mrr: reciprocalRank(ranking, relevant),
  };
}

export function average(all: readonly Measures[]): Measures {
  const mean = (key: keyof Measures) => all.reduce((sum, one) => sum + one[key], 0) / Math.max(1, all.length);
  return {
    ndcg10: mean('ndcg10'),
    recall5: mean('recall5'),
    recall10: mean('recall10'),
    recall100: mean('recall100'),
    mrr: mean('mrr'),
  };
}

/** Two-sided paired randomisation test: how often chance alone gives a mean difference this large. */
export function pairedP(a: readonly number[], b: readonly number[], rounds = 5000): number {
  const differences = a.map((value, at) => value - b[at]!).filter((difference) => difference !== 0);
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  if (differences.length === 0) return 1;
  let state = 12345;
  let extreme = 0;
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (const difference of differences) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      sum += state & 0x80000000 ? difference : -difference;
    }
    if (Math.abs(sum) >= observed - 1e-12) extreme += 1;
  }
  return (extreme + 1) / (rounds + 1);
}
