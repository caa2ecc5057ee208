// The heading tree of a document: what `inspect` prints of a source, completed by the headings of the lines that are
// loaded already, because `inspect` stops at the second level.

export interface OutlineItem {
  title: string;
  depth: number;
  /** Empty in a source that is one file. */
  path: string;
  start: number;
  end: number;
}

const ENTRY = /^( *)(.+) {2}\[(?:(.*):)?(\d{1,9})-(\d{1,9})\]$/;

/** Reads the outline out of the report; lines of any other form are passed over. */
export function parseOutline(report: string): OutlineItem[] {
  const lines = report.split('\n');
  const from = lines.indexOf('Outline:');
  if (from === -1) return [];
  return lines.slice(from + 1).flatMap((line) => {
    const match = ENTRY.exec(line);
    if (!match) return [];
    const [, indent, title, path, start, end] = match;
    return [
      {
        title: title!,
        depth: Math.max(1, indent!.length / 2),
        path: path ?? '',
        start: Number(start),
        end: Number(end),
      },
    ];
  });
}

/** Markdown headings of numbered lines, outside code fences. */
export function headingsIn(lines: ReadonlyMap<number, string>, path: string): OutlineItem[] {
  const found: OutlineItem[] = [];
  let fence = '';
  for (const [number, text] of [...lines].sort((a, b) => a[0] - b[0])) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark) {
      if (fence === '') fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length) fence = '';
      continue;
    }
    const heading = fence === '' ? /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(text) : null;
    if (heading?.[2])
      found.push({ title: plain(heading[2]), depth: heading[1]!.length, path, start: number, end: number });
  }
  return found;
}

/** One tree in line order; a heading both know is taken from the report, which knows where its section ends. */
export function mergeOutline(report: readonly OutlineItem[], seen: readonly OutlineItem[]): OutlineItem[] {
  const known = new Set(report.map((item) => item.start));
  const extra = seen.filter((item) => !known.has(item.start));
  return [...report, ...extra].sort((a, b) => a.start - b.start);
}

/** The last heading at or above a line. */
export function headingAt(items: readonly OutlineItem[], line: number): OutlineItem | undefined {
  return items.findLast((item) => item.start <= line);
}

function plain(title: string): string {
  return title
    .replace(/\s*(\{\/\*.*?\*\/\}|\{#[^}]*\}|<!--.*?-->)\s*$/, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_]{1,3}(\S[^`*_]*)[`*_]{1,3}/g, '$1');
}
