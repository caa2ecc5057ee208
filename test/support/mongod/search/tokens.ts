// Comparing tokens: phrases, and edit distance with a fixed prefix.

/** How often the words occur one after the other. */
export function phraseFrequency(tokens: string[], words: string[]): number {
  if (words.length === 0) return 0;
  return tokens.filter((_, start) => words.every((word, at) => tokens[start + at] === word)).length;
}

/** Whether two tokens are within so many edits (insert, delete, substitute, swap) after a common prefix. */
export function within(a: string, b: string, edits: number, prefix: number): boolean {
  if (Math.abs(a.length - b.length) > edits || a.slice(0, prefix) !== b.slice(0, prefix)) return false;
  let previous: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, previous[j - 2]! + 1);
      next.push(best);
    }
    previous = row;
    row = next;
  }
  return row[b.length]! <= edits;
}
