// The nearest valid names to a wrong one: for every error that says "did you mean".

/**
 * Letters to add, take away, replace or swap with their neighbour to make one of the other, given up beyond `limit`. Only
 * the cells that far from the diagonal are looked at; a piece is edited once (optimal string alignment).
 */
export function editDistance(a: string, b: string, limit = 3): number {
  const beyond = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return beyond;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  let current: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    let best = (current[from - 1] = from === 1 ? i : beyond);
    for (let j = from; j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let value = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (!same && swapped(a, b, i, j)) value = Math.min(value, before[j - 2]! + 1);
      current[j] = value;
      if (value < best) best = value;
    }
    if (best > limit) return beyond;
    // The next row looks at one cell more.
    current[to + 1] = beyond;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length]!, beyond);
}

function swapped(a: string, b: string, i: number, j: number): boolean {
  if (i < 2 || j < 2) return false;
  return a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
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

/** The question an error asks back; undefined without names. */
export function didYouMean(names: readonly string[], separator = ', '): string | undefined {
  return names.length ? `Did you mean ${names.map((name) => `\`${name}\``).join(separator)}?` : undefined;
}

/** One letter added, dropped or changed, or two neighbours swapped, at most. */
export function isOneEdit(a: string, b: string): boolean {
  return editDistance(a, b, 1) <= 1;
}
