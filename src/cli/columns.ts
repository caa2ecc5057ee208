// Rows of cells under their heads, as a person reads them: words to the left, figures to the right.

/** The first `words` columns hold words. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[], words = 1): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((cells) => cells[at]!.length)));
  const aligned = (cell: string, at: number): string =>
    at < words ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!);
  return all.map((cells) => cells.map(aligned).join('  ').trimEnd()).join('\n');
}
