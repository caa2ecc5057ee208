// Fits a page of hits into a reader's token budget: the best hits in full, without lines already shown; the rest is
// left out, and the caller can continue from there.

import { formatCitation } from '../../domain/citation.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { SearchHit, SearchRequest } from './types.ts';

/** Shorter lines than this (brackets, labels) are no text that is shown twice. */
const TELLING = 20;

export interface Packed {
  hits: SearchHit[];
  /** How many of the page were dealt with: shown, or below the relevance that was asked for. */
  done: number;
}

export function pack(
  page: readonly SearchHit[],
  { minRelevance = 0, maxTokens, room }: Pick<SearchRequest, 'minRelevance' | 'maxTokens' | 'room'>,
): Packed {
  const hits: SearchHit[] = [];
  const shown = new Set<string>();
  const limits = [
    ...(maxTokens === undefined ? [] : [{ total: maxTokens, of: tokensOf }]),
    ...(room === undefined ? [] : [room]),
  ];
  const used = limits.map(() => 0);
  for (const [done, whole] of page.entries()) {
    if (whole.relevance < minRelevance) continue;
    let hit = withoutShown(whole, shown);
    const over = (): number =>
      Math.max(...limits.map((limit, at) => (used[at]! + limit.of(hit)) / limit.total));
    if (over() > 1) {
      if (hits.length > 0) return { hits, done };
      // One hit is always given, as much of it as fits.
      for (let tries = 0; over() > 1 && tries < 8; tries += 1)
        hit = shortened(hit, Math.floor((hit.text.length / over()) * 0.9));
    }
    limits.forEach((limit, at) => (used[at]! += limit.of(hit)));
    hits.push(hit);
  }
  return { hits, done: page.length };
}

function tokensOf({ text }: SearchHit): number {
  return estimateTokens(text);
}

/** Without lines at its ends that a better hit has shown. Where hardly more than a heading would be left, all of it stays. */
function withoutShown(hit: SearchHit, shown: Set<string>): SearchHit {
  const lines = hit.text.split('\n');
  const isNew = (line: string): boolean => line.trim() !== '' && !shown.has(line.trim());
  const first = lines.findIndex(isNew);
  const last = lines.findLastIndex(isNew) + 1;
  const tells = lines.slice(first, last).some((line) => line.trim().length >= TELLING);
  for (const line of lines) if (line.trim().length >= TELLING) shown.add(line.trim());
  return !tells || hit.partial ? hit : ofLines(hit, lines, first, last);
}

/** As many whole lines from the first as fit, never all of them; of a line that is longer, its beginning. */
function shortened(hit: SearchHit, characters: number): SearchHit {
  const lines = hit.text.split('\n');
  let [count, length] = [0, 0];
  while (length + lines[count]!.length + 1 <= characters) length += lines[count++]!.length + 1;
  if (count > 0) return ofLines(hit, lines, 0, count);
  const [line] = lines;
  const end = /[\ud800-\udbff]/.test(line![characters - 1] ?? '') ? characters - 1 : characters;
  return { ...ofLines(hit, [line!.slice(0, Math.max(1, end))], 0, 1), partial: true };
}

function ofLines(hit: SearchHit, lines: readonly string[], first: number, last: number): SearchHit {
  const range = { start: hit.lines.start + first, end: hit.lines.start + last - 1 };
  const { collection, path, sha256 } = hit;
  const citation = formatCitation({ collection, path, ranges: [range], hash: sha256 });
  return { ...hit, lines: range, citation, text: lines.slice(first, last).join('\n') };
}
