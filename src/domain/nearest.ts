// The nearest valid names to a wrong one: for every error that says "did you mean".

/** Levenshtein distance, given up beyond `limit`. */
export function editDistance(a: string, b: string, limit = 3): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const value = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + cost);
      current.push(value);
      if (value < best) best = value;
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length]!;
}

/** Up to `count` names, best first: equal but for case, then one inside the other, then few edits away. */
export function nearest(wanted: string, names: Iterable<string>, count = 3): string[] {
  const needle = wanted.slice(0, 64).toLowerCase();
  if (!needle) return [];
  const limit = Math.max(1, Math.min(3, Math.floor(needle.length / 3)));
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const low = name.toLowerCase();
    const edits = editDistance(needle, low.slice(0, 64), limit);
    const contained = needle.length > 1 && (low.includes(needle) || (low.length > 2 && needle.includes(low)));
    if (low === needle) scored.push({ name, score: 0 });
    else if (edits <= limit) scored.push({ name, score: edits });
    else if (contained) scored.push({ name, score: limit + 1 + Math.abs(low.length - needle.length) / 64 });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return scored.slice(0, count).map((entry) => entry.name);
}
