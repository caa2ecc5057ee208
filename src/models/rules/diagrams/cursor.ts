// A place in a line that only moves forward.

const ID = /[\p{L}\p{N}_]/u;
const JOINTS = '-./';

export interface Cursor {
  text: string;
  at: number;
}

export function spaces(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ') cursor.at += 1;
}

export function takes(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** Letters and digits; a hyphen, full stop or slash only between them. */
export function identifier(cursor: Cursor): string {
  const { text, at } = cursor;
  let end = at;
  while (
    end < text.length &&
    (ID.test(text[end]!) ||
      (end > at &&
        JOINTS.includes(text[end]!) &&
        ID.test(text[end + 1] ?? '') &&
        text[end - 1] !== text[end]))
  )
    end += 1;
  cursor.at = end;
  return text.slice(at, end);
}

/** What stands up to a mark, which is passed; undefined where it does not come. */
export function until(cursor: Cursor, mark: string): string | undefined {
  const end = cursor.text.indexOf(mark, cursor.at);
  if (end === -1) return undefined;
  const found = cursor.text.slice(cursor.at, end);
  cursor.at = end + mark.length;
  return found;
}

/** Arguments between brackets: `("a", b, $x="c")`; quotes keep commas. */
export function args(text: string): string[] {
  const found: string[] = [];
  let current = '';
  let quoted = false;
  for (const one of text) {
    if (one === '"') quoted = !quoted;
    else if (one === ',' && !quoted) {
      found.push(current.trim());
      current = '';
    } else if (one === ')' && !quoted) break;
    else current += one;
  }
  if (current.trim() !== '') found.push(current.trim());
  return found;
}
