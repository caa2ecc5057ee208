// What the built-in vectors say about a query and a candidate: the whole text, its best passage, and nearness to the
// candidates that came first.

/** Sums are those of doubles, one number after the other: the order is part of what the weights were learned with. */
export function dot(a: Float64Array, vector: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d]! * vector[d]!;
  return sum;
}

/** The best cosine with a vector that begins at one of `places`. Four at a time: each sum waits for itself alone. */
export function bestOf(asked: Float64Array, vectors: Float32Array, places: readonly number[]): number {
  const last = places.length - 1;
  let best = 0;
  for (let at = 0; at <= last; at += 4) {
    const first = places[at]!;
    // Beyond the last the last is taken again.
    const second = places[Math.min(at + 1, last)]!;
    const third = places[Math.min(at + 2, last)]!;
    const fourth = places[Math.min(at + 3, last)]!;
    let [a, b, c, e] = [0, 0, 0, 0];
    for (let d = 0; d < asked.length; d++) {
      const value = asked[d]!;
      a += value * vectors[first + d]!;
      b += value * vectors[second + d]!;
      c += value * vectors[third + d]!;
      e += value * vectors[fourth + d]!;
    }
    best = Math.max(best, a, b, c, e);
  }
  return best;
}

/** Cosines with the mean of the leading ones. */
export function towards(leading: readonly Float32Array[], vectors: readonly Float32Array[]): number[] {
  const middle = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of leading) for (let d = 0; d < middle.length; d++) middle[d]! += vector[d]!;
  const wide = Float64Array.from(middle);
  const length = Math.sqrt(dot(wide, middle)) || 1;
  return vectors.map((vector) => dot(wide, vector) / length);
}
