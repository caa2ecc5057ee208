// Characters that a person does not see and a model reads: they can hide instructions (tags, runs of variation
// selectors), turn the direction of a line around, or drive a terminal. At output they are written out, `[U+202E]`; what
// is stored stays as it came. Where a script or an emoji needs one of them, it stays.

/** Beside these only line ends and tabs are ignorable or steer something. */
const UNSEEN = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufff9-\\ufffb\\p{DI}';
const HIDDEN = new RegExp(`[${UNSEEN}]`, 'u');
const RUNS = new RegExp(`[${UNSEEN}]+`, 'gu');

/** A longer run is counted, not spelled: it must not fill the answer. */
const MAX_SPELLED = 4;

const LETTER = /[\p{L}\p{M}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const VISIBLE = /[^\s\p{C}\p{DI}]/u;

/** The flags that are written with tags: England, Scotland, Wales. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(
  (name) =>
    [...name].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('') + '\u{e007f}',
);

export function visible(text: string): string {
  return HIDDEN.test(text) ? text.replace(RUNS, (run, at: number) => written(run, at, text)) : text;
}

/** Every text of a value, and every name in it; the same value where there is nothing to write out. */
export function visibleIn<T>(value: T): T;
export function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const given: unknown[] = value;
    const items = given.map(visibleIn);
    return items.some((item, at) => item !== given[at]) ? items : given;
  }
  const entries = Object.entries(value);
  const shown = entries.map(([key, item]) => [visible(key), visibleIn(item)] as const);
  const same = shown.every(([key, item], at) => key === entries[at]![0] && item === entries[at]![1]);
  return same ? value : Object.fromEntries(shown);
}

function written(run: string, at: number, text: string): string {
  const before = lastCharacter(text, at);
  const next = text.codePointAt(at + run.length);
  const after = next === undefined ? '\n' : String.fromCodePoint(next);
  // A picture's own selector may stand before the joiner that leads to the next one, or before what is hidden.
  const own = run.startsWith('\ufe0f') && VISIBLE.test(before) ? '\ufe0f' : '';
  const rest = run.slice(own.length);
  return own + (belongs(rest, own || before, after) ? rest : spelled(rest));
}

function belongs(run: string, before: string, after: string): boolean {
  switch (run) {
    case '\r':
      return after === '\n';
    case '\u00ad':
      return LETTER.test(before) && LETTER.test(after);
    case '\u200c':
    case '\u200d':
      return (LETTER.test(before) && LETTER.test(after)) || (PICTURE.test(before) && PICTURE.test(after));
    default:
      return isSelectorOf(run, before) || (before === '\u{1f3f4}' && FLAGS.includes(run));
  }
}

/** One selector after the character whose form it chooses. */
function isSelectorOf(run: string, before: string): boolean {
  if (/^[\ufe00-\ufe0f]$/.test(run)) return VISIBLE.test(before);
  if (/^[\u{e0100}-\u{e01ef}]$/u.test(run)) return /\p{Script=Han}/u.test(before);
  return /^[\u180b-\u180d\u180f]$/.test(run) && /\p{Script=Mongolian}/u.test(before);
}

function spelled(run: string): string {
  const characters = [...run];
  const names = characters.slice(0, MAX_SPELLED).map(nameOf);
  return characters.length > MAX_SPELLED
    ? `[${names[0]} and ${characters.length - 1} more invisible characters]`
    : names.map((name) => `[${name}]`).join('');
}

const nameOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

function lastCharacter(text: string, end: number): string {
  const low = text.charCodeAt(end - 1);
  const start = low >= 0xdc00 && low <= 0xdfff ? end - 2 : end - 1;
  return end > 0 ? text.slice(Math.max(0, start), end) : ' ';
}
