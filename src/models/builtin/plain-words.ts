// Words of plain text (see plain.ts) with their numbers, found byte by byte: a word that was met before costs no string.

import type { Numbered } from './lexicon.ts';
import { plainBytes } from './plain.ts';
import { createRuns, MAX_REMEMBERED } from './runs.ts';

/** Texts up to this many characters. */
const MAX_PLAIN = 16_384;
/** By byte: the letter in lower case or the digit, 0 for what is neither. */
const LOWER = Uint8Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(sign) ? sign.toLowerCase().charCodeAt(0) : 0;
});

export interface PlainWords {
  /** Stem and word, word by word, good until the next text; nothing where the text is not so plain. */
  read(text: string): Int32Array | undefined;
  clear(): void;
}

/** What `number` answers with a word of 0 is not remembered. */
export function createPlainWords(number: (word: string) => Numbered): PlainWords {
  const runs = createRuns();
  const bytes = Buffer.alloc(MAX_PLAIN + 1);
  const numbers = new Int32Array(MAX_PLAIN + 2);

  return {
    read(text) {
      const length = text.length > MAX_PLAIN ? -1 : plainBytes(text, bytes);
      if (length === -1) return undefined;
      let count = 0;
      // Ends the last word.
      bytes[length] = 0;
      for (let at = 0; at < length; at++) {
        const start = at;
        let hash = 0x2f0b4c47;
        for (let code = LOWER[bytes[at]!]!; code !== 0; code = LOWER[bytes[++at]!]!) {
          bytes[at] = code;
          hash = Math.imul(hash ^ code, 0x01000193);
        }
        const size = at - start;
        if (size === 0) continue;
        const found = size > MAX_REMEMBERED ? -1 : runs.find(bytes, start, size, hash);
        if (found !== -1) {
          count = runs.copy(found, numbers, count);
          continue;
        }
        const { stem, word } = number(bytes.toString('latin1', start, at));
        if (word !== 0 && size <= MAX_REMEMBERED)
          runs.remember(bytes, { start, length: size, hash }, [stem, word]);
        numbers[count++] = stem;
        numbers[count++] = word;
      }
      return numbers.subarray(0, count);
    },
    clear: () => runs.clear(),
  };
}
