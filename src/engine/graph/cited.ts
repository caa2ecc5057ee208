// The lines that somebody cites for a statement: that they exist, are few enough to be a quotation, and name what the
// statement is about.

import { hash } from 'node:crypto';
import { VaiError } from '../../domain/errors.ts';
import type { LineRange } from '../../domain/lines.ts';
import { foldCase, plural } from '../../domain/text.ts';
import type { Located } from '../cite/locate.ts';

/** Whoever cites a whole page cites nothing. */
const MAX_LINES = 40;
const MAX_CHARACTERS = 8_000;
/** Words of a name that are looked for in every spelling; a longer one has to stand there as it is written. */
const MAX_WORDS = 6;
const WORD = /[\p{L}\p{N}]+/gu;

export interface Cited extends LineRange {
  /** SHA-256 of the lines. */
  quote: string;
  text: string;
}

/** The cited lines as they are now, several ranges as one. */
export function citedLines({ citation, info }: Located, lines: readonly string[]): Cited {
  const start = Math.min(...citation.ranges.map((range) => range.start));
  const end = Math.max(...citation.ranges.map((range) => range.end));
  if (citation.hash !== undefined && !info.sha256.startsWith(citation.hash))
    throw refusal(
      'The text has changed since it was cited.',
      'Read it again and cite its lines as they are now.',
    );
  if (end > lines.length)
    throw refusal(`The document has ${plural(lines.length, 'line')}.`, 'Cite lines that are there.');
  if (end - start >= MAX_LINES)
    throw refusal(`At most ${MAX_LINES} lines can be cited.`, 'Cite only the lines that state it.');
  const text = lines.slice(start - 1, end).join('\n');
  if (text.length > MAX_CHARACTERS)
    throw refusal(`The cited lines are longer than ${MAX_CHARACTERS} characters.`, 'Cite fewer lines.');
  return { start, end, text, quote: hash('sha256', text, 'hex') };
}

/** Whether lines name something, by any of its keys (spellings that mean the same) or as it is written. */
export function naming(
  { text }: Cited,
  keyOf: (name: string) => string,
): (keys: readonly string[], written: string) => boolean {
  const words = [...text.matchAll(WORD)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
  const found = new Set<string>();
  words.forEach(({ start }, at) => {
    for (const { end } of words.slice(at, at + MAX_WORDS)) found.add(keyOf(text.slice(start, end)));
  });
  const folded = foldCase(text).replaceAll(/\s+/g, ' ');
  return (keys, written) => {
    if (keys.some((key) => found.has(key))) return true;
    const words = written.match(WORD) ?? [];
    // `C++` and `.NET` are not made of words alone.
    const plain = words.length <= MAX_WORDS && words.join('') === written.replaceAll(/[\s_-]/g, '');
    return !plain && folded.includes(foldCase(written).replaceAll(/\s+/g, ' '));
  };
}

export function refusal(message: string, hint: string): VaiError {
  return new VaiError('INVALID_INPUT', message, { hint });
}
