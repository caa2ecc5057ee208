// A citation names lines of a document: `collection[/path]:range[,range…][@hash]`. Parsed from the right, because a
// path may itself hold colons: `@` and 6 to 8 hex digits, then the last colon that is followed by ranges.

import { VaiError } from './errors.ts';
import { formatRange, type LineRange } from './lines.ts';

export interface Citation {
  collection: string;
  /** Empty when the collection is one file. */
  path: string;
  ranges: LineRange[];
  /** First digits of the cited text's SHA-256. */
  hash?: string;
  /** What was tidied while parsing (line 0, reversed ends). */
  notices: string[];
}

const MAX_CITATION = 2048;
const MAX_RANGES = 100;
const MAX_LINE = 1_000_000_000;
const HASH = /@([0-9a-f]{6,8})$/i;
const RANGES = /:([\s\dL,+–—-]+)$/i;
/** The word that an answer puts before a citation; a collection may be called that, too (`cite:5-7`). */
const LABEL = /^cite:(?![\s\dL,+–—-]+(?:@|$))\s*/;
const RANGE = /^L?(\d{1,10})(?:\s*(-|\+)\s*L?(\d{1,10}))?$/i;

/** Without what stands around it where it is copied from: the word before it in an answer, the marks of code. */
export function bareCitation(input: string): string {
  const text = input.trim().replace(/^`([^`]*)`$/, '$1');
  return text.replace(LABEL, '');
}

export function parseCitation(input: string): Citation {
  const text = bareCitation(input);
  if (text.length === 0 || text.length > MAX_CITATION) throw malformed(input);
  const hash = HASH.exec(text);
  const body = hash ? text.slice(0, hash.index).trimEnd() : text;
  const tail = RANGES.exec(body);
  if (!tail || tail.index === 0) throw malformed(input);
  const target = body.slice(0, tail.index).trim();
  const slash = target.indexOf('/');
  const collection = slash === -1 ? target : target.slice(0, slash);
  if (!collection) throw malformed(input);
  const notices: string[] = [];
  const parts = tail[1]!.split(',');
  if (parts.length > MAX_RANGES) throw malformed(input);
  const ranges = parts.map((part) => parseRange(part, input, notices));
  return {
    collection,
    path: slash === -1 ? '' : target.slice(slash + 1),
    ranges,
    ...(hash ? { hash: hash[1]!.toLowerCase() } : {}),
    notices,
  };
}

function parseRange(part: string, input: string, notices: string[]): LineRange {
  const match = RANGE.exec(part.trim().replaceAll(/[–—]/g, '-'));
  if (!match) throw malformed(input);
  let start = Number(match[1]);
  let end = match[3] === undefined ? start : Number(match[3]);
  if (match[2] === '+') {
    if (end === 0) throw malformed(input);
    end = Math.max(start, 1) + end - 1;
  }
  if (start === 0 || end === 0) notices.push('Lines are counted from 1; line 0 was read as 1.');
  start = Math.max(start, 1);
  end = Math.max(end, 1);
  if (start > MAX_LINE || end > MAX_LINE) throw malformed(input);
  if (start > end) {
    notices.push(`The range ${start}-${end} was read as ${end}-${start}.`);
    [start, end] = [end, start];
  }
  return { start, end };
}

export function formatCitation(citation: {
  collection: string;
  path: string;
  ranges: LineRange[];
  hash?: string;
}): string {
  const pinned = citation.hash ? `@${citation.hash.slice(0, 8)}` : '';
  return `${targetOf(citation)}:${citation.ranges.map(formatRange).join(',')}${pinned}`;
}

/** The part before the lines: what BLZ calls the alias of a hit. */
export function targetOf(place: { collection: string; path: string }): string {
  return place.path === '' ? place.collection : `${place.collection}/${place.path}`;
}

/** What became of cited lines in the text as it is now. */
export type Resolution =
  | { status: 'same'; range: LineRange }
  | { status: 'moved'; range: LineRange }
  | { status: 'changed'; range: LineRange; removed: string[]; added: string[] }
  | { status: 'gone' };

function malformed(input: string): VaiError {
  const shown = input.length > 80 ? `${input.slice(0, 77)}...` : input;
  return new VaiError('INVALID_CITATION', `\`${shown.replaceAll('`', "'")}\` is not a citation.`, {
    hint: 'Write collection:start-end or collection/path:start-end, for example bun:304-324.',
  });
}
