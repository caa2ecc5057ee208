// Porter's stemmer (1980), the same that FTS5 applies, so that a line is marked as matching exactly when the index says so.

const VOWEL = /[aeiouy]/;

function isConsonant(word: string, at: number): boolean {
  const letter = word[at]!;
  if (letter === 'y') return at === 0 || !isConsonant(word, at - 1);
  return !'aeiou'.includes(letter);
}

/** Number of vowel-consonant sequences. */
function measure(stem: string): number {
  let count = 0;
  let vowel = false;
  for (let at = 0; at < stem.length; at++) {
    if (!isConsonant(stem, at)) vowel = true;
    else if (vowel) {
      count += 1;
      vowel = false;
    }
  }
  return count;
}

function hasVowel(stem: string): boolean {
  if (!VOWEL.test(stem)) return false;
  for (let at = 0; at < stem.length; at++) if (!isConsonant(stem, at)) return true;
  return false;
}

function doubleConsonant(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
}

function shortEnd(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !'wxy'.includes(word[last]!)
  );
}

// prettier-ignore
const STEP2: [string, string][] = [
  ['ational', 'ate'], ['tional', 'tion'], ['enci', 'ence'], ['anci', 'ance'], ['izer', 'ize'], ['logi', 'log'], ['bli', 'ble'],
  ['alli', 'al'], ['entli', 'ent'], ['eli', 'e'], ['ousli', 'ous'], ['ization', 'ize'], ['ation', 'ate'], ['ator', 'ate'],
  ['alism', 'al'], ['iveness', 'ive'], ['fulness', 'ful'], ['ousness', 'ous'], ['aliti', 'al'], ['iviti', 'ive'], ['biliti', 'ble'],
];
// prettier-ignore
const STEP3: [string, string][] = [
  ['icate', 'ic'], ['ative', ''], ['alize', 'al'], ['iciti', 'ic'], ['ical', 'ic'], ['ful', ''], ['ness', ''],
];
/** The longer before the shorter that ends it. */
// prettier-ignore
const STEP4 = [
  'al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent', 'ion', 'ou', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize',
];

function replaceLongest(word: string, rules: [string, string][]): string {
  const rule = rules.find((one) => word.endsWith(one[0]));
  if (!rule) return word;
  const stem = word.slice(0, -rule[0].length);
  return measure(stem) > 0 ? stem + rule[1] : word;
}

function step1(word: string): string {
  // An ending is one only where something stands before it.
  if (/.(?:sses|ies)$/.test(word)) word = word.slice(0, -2);
  else if (word.endsWith('s') && !word.endsWith('ss')) word = word.slice(0, -1);
  if (word.endsWith('eed') && word.length > 3)
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = word.endsWith('ed') ? 'ed' : word.endsWith('ing') ? 'ing' : '';
  const stem = word.slice(0, word.length - suffix.length);
  if (!suffix || !hasVowel(stem)) return word;
  if (/(at|bl|iz)$/.test(stem)) return stem + 'e';
  if (doubleConsonant(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && shortEnd(stem) ? stem + 'e' : stem;
}

function step4(word: string): string {
  const suffix = STEP4.find((ending) => word.endsWith(ending));
  if (!suffix) return word;
  const stem = word.slice(0, -suffix.length);
  if (measure(stem) <= 1) return word;
  return suffix === 'ion' && !/[st]$/.test(stem) ? word : stem;
}

/** Stem of a lower-case word; words with anything but a-z stay as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let out = step1(word);
  if (out.endsWith('y') && hasVowel(out.slice(0, -1))) out = out.slice(0, -1) + 'i';
  out = step4(replaceLongest(replaceLongest(out, STEP2), STEP3));
  if (out.endsWith('e')) {
    const base = out.slice(0, -1);
    const m = measure(base);
    if (m > 1 || (m === 1 && !shortEnd(base))) out = base;
  }
  if (measure(out) > 1 && doubleConsonant(out) && out.endsWith('l')) out = out.slice(0, -1);
  return out;
}
