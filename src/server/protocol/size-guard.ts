// The last resort of the size budget: tools truncate their own answers at item boundaries and say how to continue; this
// only catches what slipped through, so that no answer ever exceeds what hosts accept.

import { VaiError } from '../../domain/errors.ts';

type Structured = Record<string, unknown>;

const MAX_CHANNEL_CHARACTERS = 40_000;

const NOTICE =
  '\n\n[truncated: the answer was truncated at 40,000 characters; ask for fewer results or a narrower range to see the rest]';

export function textWithinBudget(text: string, limit = MAX_CHANNEL_CHARACTERS): string {
  if (text.length <= limit) return text;
  let end = limit - NOTICE.length;
  const lineEnd = text.lastIndexOf('\n', end);
  if (lineEnd > end - 2_000) end = lineEnd;
  // A lone surrogate would break JSON for strict readers.
  if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end) + NOTICE;
}

/** `size` where it was measured before. */
export function structuredWithinBudget(
  structured: Structured,
  { limit = MAX_CHANNEL_CHARACTERS, size = JSON.stringify(structured).length } = {},
): Structured {
  if (size <= limit) return structured;
  const budget = limit - 40;
  const copy: Structured = { ...structured, truncated: true };
  while (size > budget) {
    const longest = longestList(copy);
    if (!longest) throw tooLarge();
    const [key, items] = longest;
    const sizes = items.map((item) => (JSON.stringify(item) ?? 'null').length + 1);
    let keep = items.length;
    while (keep > 0 && size > budget) size -= sizes[--keep]!;
    copy[key] = items.slice(0, keep);
    size = JSON.stringify(copy).length;
  }
  return copy;
}

function longestList(record: Structured): [string, unknown[]] | undefined {
  let best: [string, unknown[]] | undefined;
  let bestSize = 0;
  for (const [key, value] of Object.entries(record)) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const size = JSON.stringify(value).length;
    if (size > bestSize) [best, bestSize] = [[key, value], size];
  }
  return best;
}

function tooLarge(): VaiError {
  return new VaiError('TOO_LARGE', 'The answer is larger than 40,000 characters.', {
    hint: 'Ask for fewer results or a narrower range.',
  });
}
