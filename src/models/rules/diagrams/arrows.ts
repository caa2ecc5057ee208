// A line that consists only of names and arrows: `Checkout → Billing Service → Postgres`.

const ARROW = /→|⟶|➜|=>|-{1,3}>/;
const MAX_LINE = 400;
const MAX_NAMES = 12;

/** The names of such a line in order; undefined where it is something else. */
export function arrowLine(text: string): string[] | undefined {
  if (text.length > MAX_LINE || text.includes('\n') || !ARROW.test(text)) return undefined;
  const parts = text
    .replaceAll(/[`*]/g, '')
    .split(ARROW)
    .map((part) => part.trim());
  if (parts.length < 2 || parts.length > MAX_NAMES) return undefined;
  const last = parts.length - 1;
  parts[last] = parts[last]!.replace(/\.$/, '');
  return parts.every(isEnd) ? parts : undefined;
}

/** Up to four words that look like a name, not like a sentence, a menu step or code. */
function isEnd(text: string): boolean {
  const words = text.split(/\s+/);
  if (text === '' || words.length > 4 || /[(){};,:"$\\|=<>]|^\d/.test(text)) return false;
  const named = (word: string) => /^[\p{Lu}\p{N}]/u.test(word) || /\p{Ll}[-_]?\p{Lu}|[-_]/u.test(word);
  return /\p{Lu}|[-_]/u.test(text) && (words.length > 1 || named(words[0]!));
}
