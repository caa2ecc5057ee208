// How far two lists of numbers are in the same order: Spearman's correlation.

/** Rank correlation with ties averaged. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  return pearson(ranks(a), ranks(b));
}

function ranks(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((x, y) => x.value - y.value);
  const out = new Array<number>(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to + 1 < order.length && order[to + 1]!.value === order[from]!.value) to += 1;
    for (let at = from; at <= to; at++) out[order[at]!.at] = (from + to) / 2;
    from = to + 1;
  }
  return out;
}

function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const ma = mean(a);
  const mb = mean(b);
  let top = 0;
  let va = 0;
  let vb = 0;
  a.forEach((value, at) => {
    top += (value - ma) * (b[at]! - mb);
    va += (value - ma) ** 2;
    vb += (b[at]! - mb) ** 2;
  });
  return top / Math.sqrt(va * vb || 1);
}
