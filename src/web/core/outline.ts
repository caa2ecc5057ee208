// The headings of a document's lines.

export interface Heading {
  title: string;
  depth: number;
  line: number;
}

/** Markdown headings of numbered lines in order, outside code fences and front matter. */
export function headingsIn(lines: ReadonlyMap<number, string>): Heading[] {
  const found: Heading[] = [];
  let fence = '';
  let front = lines.get(1)?.trimEnd() === '---';
  let before: { number: number; text: string } | undefined;
  for (const [number, text] of lines) {
    if (front) {
      front = number === 1 || text.trimEnd() !== '---';
      continue;
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark) {
      if (fence === '') fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length) fence = '';
    } else if (fence === '') {
      const marks = /^ {0,3}(#{1,6})\s/.exec(text);
      const under = /^(=+|-+)\s*$/.exec(text)?.[1];
      const title = plain(marks ? withoutMarks(text.slice(marks[0].length)) : (under && before?.text) || '');
      if (marks && title) found.push({ title, depth: marks[1]!.length, line: number });
      else if (title) found.push({ title, depth: under!.startsWith('=') ? 1 : 2, line: before!.number });
      before =
        marks || under || text.trim() === '' || /^\s*([-*+>|]|\d+[.)])/.test(text)
          ? undefined
          : { number, text: text.trim() };
      continue;
    }
    before = undefined;
  }
  return found;
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
