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

/** What follows the last two spaces of an entry. */
const PLACE = /^\[(?:(.*):)?(\d{1,9})-(\d{1,9})\]$/;

/** Reads the outline out of the report; lines of any other form are passed over. */
export function parseOutline(report: string): OutlineItem[] {
  const lines = report.split('\n');
  const from = lines.indexOf('Outline:');
  if (from === -1) return [];
  return lines.slice(from + 1).flatMap((line) => {
    const split = line.lastIndexOf('  [');
    const match = PLACE.exec(line.slice(split + 2));
    const title = line.slice(0, Math.max(split, 0)).trimStart();
    if (!match || title === '') return [];
    const [, path, start, end] = match;
    return [
      {
        title,
        depth: Math.max(1, (split - title.length) / 2),
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
    const marks = fence === '' ? /^ {0,3}(#{1,6})\s/.exec(text) : null;
    const title = marks ? plain(withoutMarks(text.slice(marks[0].length))) : '';
    if (marks && title) found.push({ title, depth: marks[1]!.length, path, start: number, end: number });
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

/** Without the marks some close a heading with. */
function withoutMarks(title: string): string {
  let end = title.trimEnd().length;
  while (title[end - 1] === '#') end -= 1;
  return title.slice(0, end).trim();
}

/** What may follow a title: a comment of MDX, an anchor, a comment of HTML. */
const ASIDES = [
  ['{/*', '*/}'],
  ['{#', '}'],
  ['<!--', '-->'],
] as const;

function plain(title: string): string {
  const aside = ASIDES.find(([open, close]) => title.endsWith(close) && title.includes(open));
  const bare = aside ? title.slice(0, title.lastIndexOf(aside[0])).trimEnd() : title;
  return bare.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/[`*_]{1,3}(\S[^`*_]*)[`*_]{1,3}/g, '$1');
}
