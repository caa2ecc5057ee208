// How a passage looks on a terminal, whichever command shows it: where it is, the headings above it, and its lines with
// the words of the query marked. Lines are wrapped, never truncated at the right edge.

import { stem } from '../domain/stem.ts';
import { STOPWORDS } from '../domain/stopwords.ts';
import { foldAccents, foldCase } from '../domain/text.ts';
import type { Frame } from './frame.ts';
import { clip } from '../tools/shared/text.ts';
import { printable } from './terminal.ts';

interface Passage {
  /** `collection/path:start-end` */
  place: string;
  /** Opened when the place is clicked. */
  link?: string | undefined;
  /** Shown behind the place: rank, score, state. */
  rank?: number;
  notes?: readonly string[];
  headingPath: readonly string[];
  text: string;
  /** Number of the first line; without it lines are not numbered. */
  firstLine?: number | undefined;
}

interface PassageOptions {
  /** The words to mark. */
  query?: string;
  /** Rows a line may take; a longer one is shown around its first marked word. */
  rows?: number;
}

const NUMBER_WIDTH = 6;
const MIN_WIDTH = 20;

export function showPassage(frame: Frame, passage: Passage, options: PassageOptions = {}): string {
  const { terminal } = frame;
  const place = terminal.cyan(terminal.bold(printable(passage.place)));
  const head = [
    ...(passage.rank === undefined ? [] : [terminal.dim(`${passage.rank}.`)]),
    passage.link ? terminal.link(place, passage.link) : place,
  ].join(' ');
  const notes = (passage.notes ?? []).map((note) => `  ${terminal.dim(note)}`).join('');
  const path = passage.headingPath.length
    ? [`   ${terminal.dim(clip(printable(passage.headingPath.join(' › ')), terminal.width - 3))}`]
    : [];
  const isMatch = matcher(options.query ?? '');
  const width = Math.max(MIN_WIDTH, terminal.width - NUMBER_WIDTH - 1);
  const body = passage.text.split('\n').flatMap((line, at) => {
    const shown = rowsOf(printable(line).replaceAll('\t', '  '), { width, rows: options.rows, isMatch });
    return shown.map((row, index) => {
      const number = index === 0 && passage.firstLine !== undefined ? String(passage.firstLine + at) : '';
      return `${terminal.dim(number.padStart(NUMBER_WIDTH))} ${mark(row, isMatch, terminal.yellow)}`.trimEnd();
    });
  });
  return [`${head}${notes}`, ...path, ...body].join('\n');
}

/**
 * Whether a word is one of the query, whatever its ending. Excluded words (`-redis`) and operators are not marked, small
 * words ("the") only where the query has no others.
 */
function matcher(query: string): (word: string) => boolean {
  const words = [...query.matchAll(/(^|[\s("+:])(-?)([\p{L}\p{N}_]+)/gu)]
    .filter(([, , excluded, word]) => excluded === '' && !['AND', 'OR', 'NOT'].includes(word!))
    .map(([, , , word]) => foldCase(word!));
  const content = words.filter((word) => !STOPWORDS.has(word));
  const wanted = new Set((content.length > 0 ? content : words).map(keyOf));
  return wanted.size === 0 ? () => false : (word) => wanted.has(keyOf(word));
}

function keyOf(word: string): string {
  return stem(foldAccents(foldCase(word)));
}

const WORD = /[\p{L}\p{N}_]+/gu;

function mark(text: string, isMatch: (word: string) => boolean, paint: (text: string) => string): string {
  return text.replaceAll(WORD, (word) => (isMatch(word) ? paint(word) : word));
}

interface Rows {
  width: number;
  rows: number | undefined;
  isMatch: (word: string) => boolean;
}

/** A line as rows; of one that is too long for its rows, those around the first word that matches. */
function rowsOf(line: string, { width, rows, isMatch }: Rows): string[] {
  const all = wrap(line, width);
  if (rows === undefined || all.length <= rows) return all;
  const matching = all.findIndex((row) => (row.match(WORD) ?? []).some(isMatch));
  const from = Math.min(Math.max(0, matching - Math.floor(rows / 2)), all.length - rows);
  const shown = all.slice(from, from + rows);
  if (from > 0) shown[0] = `…${shown[0]!.slice(1)}`;
  if (from + rows < all.length) shown[rows - 1] = clip(`${shown[rows - 1]!}…`, width);
  return shown;
}

/** Broken at spaces where there are any; what is longer than a row is broken where the row ends. */
export function wrap(line: string, width: number): string[] {
  const rows: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 3 ? space : width;
    rows.push(rest.slice(0, end));
    rest = rest.slice(rest[end] === ' ' ? end + 1 : end);
  }
  return [...rows, rest];
}
