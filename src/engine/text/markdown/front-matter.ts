// Where the front matter of a Markdown text ends.

import type { LineIndex, LineRange } from '../../../domain/lines.ts';

const MAX_LINES = 2000;

/** YAML (`---`) or TOML (`+++`) before everything else; without a closing line there is none. */
export function frontMatterOf(text: string, lines: LineIndex): LineRange | undefined {
  const mark = text.startsWith('---') ? '---' : text.startsWith('+++') ? '+++' : undefined;
  if (!mark || lineText(text, lines, 1).trimEnd() !== mark) return undefined;
  const last = Math.min(lines.count, MAX_LINES);
  for (let line = 2; line <= last; line += 1) {
    const at = lines.starts[line - 1]!;
    if (!text.startsWith(mark, at) && !text.startsWith('...', at)) continue;
    const content = lineText(text, lines, line).trimEnd();
    if (content === mark || (mark === '---' && content === '...')) return { start: 1, end: line };
  }
  return undefined;
}

function lineText(text: string, lines: LineIndex, line: number): string {
  return text.slice(
    lines.starts[line - 1],
    Math.min(lines.starts[line] ?? text.length, lines.starts[line - 1]! + 200),
  );
}
