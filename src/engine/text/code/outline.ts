// The headings of source code: what it defines, each under what it belongs to, wherever that stands in the text.

import type { Heading } from '../../../domain/document.ts';
import { indexLines } from '../../../domain/lines.ts';
import type { Definition, DefinitionKind, Symbols } from '../../../domain/symbols.ts';
import { anchors, windowHeadings, type Outline } from '../headings.ts';

/** Fields, constants and what is defined elsewhere would fill an outline that is there to find one's way. */
const UNLISTED: ReadonlySet<DefinitionKind> = new Set<DefinitionKind>(['constant', 'field', 'prototype']);

export function isListed({ kind }: Definition): boolean {
  return !UNLISTED.has(kind);
}

export function codeOutline(text: string, { definitions }: Symbols): Outline {
  const lines = indexLines(text);
  const seen = new Set<number>();
  // One heading a line; what contains another comes before it.
  const listed = definitions.filter((one) => {
    if (!isListed(one) || one.lines.start > lines.count || seen.has(one.lines.start)) return false;
    seen.add(one.lines.start);
    return true;
  });
  listed.sort((a, b) => a.lines.start - b.lines.start);
  const anchorOf = anchors();
  const headings = listed.map(({ name, path, lines: { start, end } }, at): Heading => {
    const whole = [...path, name];
    const next = listed[at + 1]?.lines.start ?? lines.count + 1;
    return {
      level: whole.length,
      text: name,
      path: whole,
      line: start,
      block: { start, end: next - 1 },
      section: { start, end: Math.max(start, Math.min(end, lines.count)) },
      anchor: anchorOf(whole),
    };
  });
  const windows = headings.length === 0;
  return { headings: windows ? windowHeadings(lines.count) : headings, windows, fences: [], lines };
}
