// Texts: one sort order, when two count as the same, work on many of them, and how a message counts things.

/** By code units: the same on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same but for case. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** The same but for case and accents. */
export function foldAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** White space as single spaces. One that is a single space already is passed over: most are. */
export function collapseSpace(text: string): string {
  return text.replaceAll(/\s{2,}|[^\S ]/g, ' ');
}

/** Without the marks it ends with: a pattern for that would look at every run of them in the text. */
export function withoutTrailing(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Without the escapes of an address; as it stands where they are wrong. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** From this length on, V8 makes a substring by pointing into the original string. */
const MIN_CUT = 13;

/** A copy that does not keep the long original text alive. */
export function detached(text: string): string {
  return text.length < MIN_CUT ? text : ` ${text}`.slice(1);
}

/** Small numbers have nothing to group, and a locale is slow. */
export const count = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : value.toLocaleString('en-US');

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
