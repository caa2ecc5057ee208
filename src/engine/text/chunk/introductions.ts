// A heading with nothing of its own below it, a label, a page's front matter, a row of badges, a table of contents: found
// alone, they answer no question. They stay with the section they lead to.

import type { LineIndex } from '../../../domain/lines.ts';
import { frontMatterOf } from '../markdown/front-matter.ts';
import type { Span } from './boundaries.ts';

/** The part of a text that one heading names; without a heading, what stands before the first. */
export interface Region extends Span {
  /** The heading as written, one line. */
  heading?: Span;
  /** 0 before the first heading. */
  level: number;
  /** Where the part begins that its heading names; an introduction may stand before it. */
  core: number;
}

/** Introductions of up to `longest` characters become the beginning of the first section below them. */
export function joinIntroductions(
  text: string,
  lines: LineIndex,
  regions: readonly Region[],
  longest: number,
): Region[] {
  const afterFrontMatter = lines.starts[frontMatterOf(text, lines)?.end ?? 0] ?? text.length;
  const joined: Region[] = [];
  let waiting: Region | undefined;
  for (const region of regions) {
    const start = waiting && waiting.level < region.level ? waiting.start : region.start;
    if (waiting && start === region.start) joined.push(waiting);
    const whole = { ...region, start };
    const own = Math.max(region.heading ? headingEnd(text, region.heading) : region.start, afterFrontMatter);
    waiting = region.end - start <= longest && saysNothing(text, own, region.end) ? whole : undefined;
    if (!waiting) joined.push(whole);
  }
  return waiting ? [...joined, waiting] : joined;
}

const SILENT = [
  // Tags.
  /^(?:<[^<>]*>\s*)+$/,
  // Pictures and badges. No label has a bracket in it: it could be a picture as well, and a row be read in countless ways.
  /^(?:\[?!\[[^\]]*\](?:\([^)]*\)|\[[^[\]]*\])?(?:\](?:\([^)]*\)|\[[^[\]]*\]))?\s*)+$/,
  // An entry of a table of contents, and what stands for one.
  /^(?:[-*+]|\d{1,3}[.)])\s+\[[^\]]*\]\(#[^)]*\)$/,
  /^(?:\[\[?_?TOC_?\]\]?|\{:\s*toc\s*\})$/i,
  // Labels of reStructuredText and AsciiDoc, what is set or taken in from elsewhere.
  /^\.\. _[^:]*:$/,
  /^\[\[[^\]]*\]\]$/,
  /^\[#[^\]]*\]$/,
  /^\.\. (?:contents|currentmodule|default-role|highlight|include|index|module|role)::/,
  /^:[\w-]+:(?:\s+\S+)?$/,
  /^include::[^\s[]+\[[^\]]*\]$/,
  // Shortcodes and labels of site generators, imports of MDX.
  /^\{\{[<%][^{}]*[>%]\}\}$/,
  /^\([\w-]+\)=$/,
  /^import\s[^'"]*['"][^'"]*['"];?$/,
  // Rules.
  /^(?:-{3,}|\*{3,}|_{3,})$/,
];

/** A row of one sign, as under a title and over it. */
const ROW = /^[ \t]*([^\w\s])\1*[ \t\r]*$/;
const LONGEST_HEADING = 2_000;

/** Where a heading ends as written: with the row of signs under it, and its title where one stands over it. */
function headingEnd(text: string, { start }: Span): number {
  const lines = text.slice(start, start + LONGEST_HEADING).split('\n', 3);
  const [first = '', second = '', third = ''] = lines;
  const count = ROW.test(first) && ROW.test(third) ? 3 : ROW.test(second) ? 2 : 1;
  return start + lines.slice(0, count).join('\n').length;
}

/** What begins a passage that no reader sees, and what ends it. */
const UNSEEN: readonly (readonly [RegExp, string])[] = [
  [/^<!--/, '-->'],
  [/^<script\b/i, '</script>'],
  [/^<style\b/i, '</style>'],
];

function saysNothing(text: string, start: number, end: number): boolean {
  let closing: string | undefined;
  return text
    .slice(start, end)
    .split('\n')
    .every((written) => {
      const line = written.trim();
      closing ??= UNSEEN.find(([opening]) => opening.test(line))?.[1];
      if (closing !== undefined) {
        const at = line.toLowerCase().indexOf(closing);
        const rest = at === -1 ? '' : line.slice(at + closing.length).trim();
        if (at !== -1) closing = undefined;
        return rest === '';
      }
      return line === '' || SILENT.some((pattern) => pattern.test(line));
    });
}
