// Sections of a documentation text as a retrieval check: the query is the page's title and the section's heading, for
// pairs that occur once; the answer is right when its lines hold the heading.

import type { Heading } from '../../src/domain/document.ts';
import { headingTree } from '../../src/engine/text/headings.ts';
import { random, shuffled } from './random.ts';

export interface Section {
  query: string;
  line: number;
  text: string;
}

export function drawSections(text: string, count: number): Section[] {
  const headings = headingTree(text, 'markdown');
  const queryOf = (heading: Heading): string => `${heading.path[0]} ${heading.text}`;
  const seen = new Map<string, number>();
  for (const heading of headings) seen.set(queryOf(heading), (seen.get(queryOf(heading)) ?? 0) + 1);
  const unique = headings.filter((heading) => seen.get(queryOf(heading)) === 1);
  return shuffled(unique, random(5))
    .slice(0, count)
    .map((heading) => ({ query: queryOf(heading), line: heading.line, text: heading.text }));
}

/** Position of the section among line ranges, from 0; -1 when it is not there. */
export function rankOf(section: Section, lines: readonly string[]): number {
  return lines.findIndex((range) => {
    const [start, end] = range.split('-').map(Number);
    return start! <= section.line && (end ?? start!) >= section.line;
  });
}
