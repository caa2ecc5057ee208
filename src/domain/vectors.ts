// How near two vectors are.

/** Their cosine where both are of unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  const length = Math.min(a.length, b.length);
  let sum = 0;
  for (let at = 0; at < length; at += 1) sum += a[at]! * b[at]!;
  return sum;
}

/** 1 the same direction; 0 none, as that of a vector without any. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const length = Math.min(a.length, b.length);
  let [along, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < length; at += 1) {
    along += a[at]! * b[at]!;
    ofA += a[at]! * a[at]!;
    ofB += b[at]! * b[at]!;
  }
  return ofA && ofB ? along / Math.sqrt(ofA * ofB) : 0;
}
