// The heading tree of a text, with the block and section of every heading, from one pass over its lines. A text without
// headings gets windows of 200 lines in their place, so that everything has a place to be cited by.

import type { Heading, ReadText } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import { indexLines, type LineIndex, type LineRange } from '../../domain/lines.ts';
import { displayHeading } from './markdown/display.ts';
import { scanMarkdown } from './markdown/scan.ts';

export interface Outline {
  headings: Heading[];
  /** True when the text has no headings of its own and `headings` are windows of lines. */
  windows: boolean;
  /** Code fences, their mark lines included. */
  fences: LineRange[];
  lines: LineIndex;
}

interface Mark {
  level: number;
  text: string;
  line: number;
}

const WINDOW_LINES = 200;
/** Each is at least one chunk, and all of them are read at once. */
const MAX_HEADINGS = 100_000;
const MAX_LEVEL = 12;

export function headingTree(text: string, syntax: ReadText['syntax']): Heading[] {
  return outline(text, syntax).headings;
}

/** Headings and everything the chunker needs from the same pass. */
export function outline(text: string, syntax: ReadText['syntax'], given?: ReadText['headings']): Outline {
  const lines = indexLines(text);
  const scan = syntax === 'markdown' ? scanMarkdown(text, lines) : { headings: [], fences: [] };
  const marks = given?.length
    ? givenMarks(given, lines.count)
    : scan.headings.map(({ level, line, raw }) => ({ level, line, text: displayHeading(raw) }));
  if (marks.length > MAX_HEADINGS)
    throw new VaiError(
      'TOO_LARGE',
      `The text has ${marks.length.toLocaleString('en')} headings; the most is ${MAX_HEADINGS.toLocaleString('en')}.`,
      { hint: 'Split the text.' },
    );
  const windows = marks.length === 0;
  return {
    headings: windows ? windowHeadings(lines.count) : treeOf(marks, lines.count),
    windows,
    fences: scan.fences,
    lines,
  };
}

/** One heading a line, in order, inside the text. */
function givenMarks(given: NonNullable<ReadText['headings']>, count: number): Mark[] {
  const sorted = given
    .filter(({ line }) => Number.isInteger(line) && line >= 1 && line <= count)
    .sort((a, b) => a.line - b.line);
  return sorted
    .filter((mark, at) => at === 0 || sorted[at - 1]!.line !== mark.line)
    .map(({ level, text, line }) => ({
      level: Math.min(Math.max(Math.trunc(level) || 1, 1), MAX_LEVEL),
      text: text.replaceAll(/\s+/g, ' ').trim().slice(0, 500),
      line,
    }));
}

function treeOf(marks: readonly Mark[], count: number): Heading[] {
  const anchorOf = anchors();
  const headings: Heading[] = [];
  const open: Heading[] = [];
  for (const [at, mark] of marks.entries()) {
    while (open.length > 0 && open.at(-1)!.level >= mark.level) open.pop()!.section.end = mark.line - 1;
    const path = [...(open.at(-1)?.path ?? []), mark.text];
    const heading: Heading = {
      level: mark.level,
      text: mark.text,
      path,
      line: mark.line,
      block: { start: mark.line, end: (marks[at + 1]?.line ?? count + 1) - 1 },
      section: { start: mark.line, end: count },
      anchor: anchorOf(path),
    };
    headings.push(heading);
    open.push(heading);
  }
  return headings;
}

export function windowHeadings(count: number): Heading[] {
  const anchorOf = anchors();
  const headings: Heading[] = [];
  for (let start = 1; start <= count; start += WINDOW_LINES) {
    const end = Math.min(start + WINDOW_LINES - 1, count);
    const text = `Lines ${start}-${end}`;
    const path = [text];
    const anchor = anchorOf(path);
    headings.push({
      level: 1,
      text,
      path,
      line: start,
      block: { start, end },
      section: { start, end },
      anchor,
    });
  }
  return headings;
}

/**
 * An anchor names a path and how often that path came before, never a line number, so that an edit elsewhere leaves it
 * alone and a repeated heading gets its own.
 */
export function anchors(): (path: readonly string[]) => string {
  const seen = new Map<string, number>();
  const taken = new Set<string>();
  return (path) => {
    const key = path.join('\u0000');
    let occurrence = seen.get(key) ?? 0;
    for (;;) {
      occurrence += 1;
      const anchor = `${slug(path.at(-1)!)}${fingerprint(`${key}\u0000${occurrence}`)}`;
      if (taken.has(anchor)) continue;
      seen.set(key, occurrence);
      taken.add(anchor);
      return anchor;
    }
  };
}

/** Letters without their accents, where there are any beyond ASCII. */
function bare(text: string): string {
  // eslint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '');
}

function slug(text: string): string {
  const ascii = bare(text.slice(0, 80))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');
  return ascii === '' ? '' : `${ascii}-`;
}

/** 53 bits of a multiplicative hash, as base 36: for telling headings apart, not for security. */
function fingerprint(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const ch = text.charCodeAt(i);
    a = Math.imul(a ^ ch, 2654435761);
    b = Math.imul(b ^ ch, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return lastDigits(4294967296 * (2097151 & b) + (a >>> 0));
}

const HALF = 36 ** 4;

/** The last eight digits in base 36. Numbers of 53 bits are slow to print; small ones are not. */
function lastDigits(value: number): string {
  const high = Math.floor(value / HALF) % HALF;
  const low = (value % HALF).toString(36);
  if (value < HALF) return low;
  const start = high.toString(36);
  return (value < HALF * HALF ? start : start.padStart(4, '0')) + low.padStart(4, '0');
}
