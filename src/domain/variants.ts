// The other spellings of a searched word that mean the same: `useState`, `use_state` and `use state` find each other,
// and Chinese, Japanese and Korean text is found by pairs of its characters. The index side is `extraWords`.

/** One way to find a word: the words in this order, or all of them anywhere. */
export type Variant = { phrase: string[] } | { all: string[] };

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]+/gu;
const MAX_PARTS = 8;
export const UMLAUT = /[äöüß]/i;

/** German umlauts written out, in lower case: `Größe` is `groesse`. */
export function spellUmlauts(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
}

/** Nothing to take apart: by far most words. */
const PLAIN = /^(?:[A-Za-z][a-z]*|[A-Z]+)$/;

/** The word as written first, then its variants. */
export function wordVariants(text: string): Variant[] {
  if (PLAIN.test(text)) return [{ phrase: [text] }];
  if (CJK.test(text)) return cjkVariants(text);
  const parts = splitIdentifier(text);
  const variants: Variant[] = [{ phrase: [text] }];
  if (UMLAUT.test(text)) variants.push({ phrase: [spellUmlauts(text)] });
  if (parts.length < 2 || parts.length > MAX_PARTS) return variants;
  const joined = parts.join('');
  const literal = text.toLowerCase();
  if (literal === joined) variants.push({ phrase: parts });
  else variants.push({ phrase: [joined] });
  // `maxRetryCount` inside `http.maxRetryCount` is split by the index at the dot only.
  if (literal !== joined && /\p{Ll}\p{Lu}/u.test(text)) variants.push({ phrase: parts });
  return variants;
}

/** Parts of an identifier in lower case: camel humps, digits kept with their word, separators dropped. */
export function splitIdentifier(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

function cjkVariants(text: string): Variant[] {
  const pairs: string[] = [];
  for (const [run] of text.matchAll(CJK_RUN)) {
    const characters = [...run];
    if (characters.length === 1) pairs.push(run);
    for (let at = 0; at + 1 < characters.length; at += 1) pairs.push(characters[at]! + characters[at + 1]!);
  }
  const rest = text
    .replaceAll(CJK_RUN, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');
  const whole: Variant = { phrase: [text] };
  if (pairs.length === 1 && pairs[0] === text && [...text].length > 1) return [whole];
  return [whole, { all: [...pairs, ...rest] }];
}
