// Whole lines of a text around a place; a code fence is never cut open.

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const MOST_CHARACTERS = 600;
const WHOLE_FENCE_LINES = 24;

/** From the line before `first` on, at most `count` lines. */
export function linesAround(text: string, first: number, count: number): string {
  const lines = text.replaceAll(/\r(?=\n|$)/g, '').split('\n');
  let start = Math.max(0, first - 1);
  let end = start;
  let characters = 0;
  while (end < lines.length && end - start < count && (end === start || characters < MOST_CHARACTERS)) {
    characters += lines[end]!.length + 1;
    end += 1;
  }
  while (start < end - 1 && lines[start]!.trim() === '') start += 1;
  const span = keepFences(lines, { start, end });
  return lines.slice(span.start, span.end).join('\n');
}

/** A window that cuts a fence takes all of it when it is short, else stays inside or outside of it. */
function keepFences(
  lines: readonly string[],
  span: { start: number; end: number },
): { start: number; end: number } {
  let { start, end } = span;
  for (const fence of fences(lines)) {
    if (fence.end <= start || fence.start >= end) continue;
    if (fence.start >= start && fence.end <= end) continue;
    if (fence.end - fence.start <= WHOLE_FENCE_LINES) {
      start = Math.min(start, fence.start);
      end = Math.max(end, fence.end);
    } else if (fence.start > start) end = fence.start;
    else if (fence.end < end) start = fence.end;
    else {
      start = Math.max(start, fence.start + 1);
      end = Math.min(end, fence.end - 1);
    }
  }
  return { start, end: Math.max(end, start + 1) };
}

function fences(lines: readonly string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let open: { start: number; mark: string } | undefined;
  lines.forEach((line, at) => {
    const mark = FENCE.exec(line)?.[1];
    if (!mark) return;
    if (!open) open = { start: at, mark };
    else if (mark.startsWith(open.mark) && line.trim() === mark) {
      found.push({ start: open.start, end: at + 1 });
      open = undefined;
    }
  });
  if (open) found.push({ start: open.start, end: lines.length });
  return found;
}
