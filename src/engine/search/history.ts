// Changelogs, release notes and dated posts speak of everything a project does, as it was then. They answer who asks what
// changed, and come after the documentation where something else is asked.

import { isHistoryPath } from '../../domain/history-path.ts';
import { isCode } from './rank-code.ts';
import type { Candidate } from './rerank.ts';

/** What a passage of such a document loses: chosen on six repositories, checked on four others. */
const LOSS = 0.4;
const ASKS_FOR_CHANGES =
  /\b(?:version|release|changelog|changed?|changes|since|deprecated|removed|upgrad\w*|introduced|added|fixed|news?|announce\w*|blog|post|20\d\d)s?\b|\bv?\d+\.\d/i;

export function historyLast(candidates: readonly Candidate[], question: string): Candidate[] {
  const lowered = new Set(
    ASKS_FOR_CHANGES.test(question)
      ? []
      : candidates.filter(({ chunk, asked }) => !asked && isHistoryPath(chunk.path) && !isCode(chunk)),
  );
  // A blog that is all there is, is the documentation: without its scores its titles alone would order it.
  if (lowered.size === 0 || lowered.size === candidates.length) return [...candidates];
  return candidates
    .map((one) => (lowered.has(one) ? { ...one, score: Math.max(0, one.score - LOSS) } : one))
    .sort((a, b) => Number(b.asked ?? false) - Number(a.asked ?? false) || b.score - a.score);
}
