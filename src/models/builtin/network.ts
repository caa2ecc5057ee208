// A small network as training/rerank.py and training/relevance.py write it: a weighted sum of the features, and of some
// bent sums of them.

export interface Network {
  offset: number;
  /** One number per feature. */
  skip: readonly number[];
  /** For each hidden unit: one number per feature, what is added, and what its value counts. */
  inner: readonly (readonly number[])[];
  bias: readonly number[];
  outer: readonly number[];
}

export function score({ offset, skip, inner, bias, outer }: Network, row: readonly number[]): number {
  let sum = offset + weighted(row, skip);
  for (let unit = 0; unit < outer.length; unit++)
    sum += outer[unit]! * Math.tanh(bias[unit]! + weighted(row, inner[unit]!));
  return sum;
}

function weighted(row: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += row[at]! * weights[at]!;
  return sum;
}

export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
