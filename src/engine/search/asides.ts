// Changelogs, release notes and dated posts speak of everything a project does, as it was then, and test data looks like
// what a project works on. They answer who asks what changed, or for tests, and come after the documentation where
// something else is asked.

import { isHistoryPath, isTestData } from '../../domain/aside-path.ts';
import { isCode } from './rank-code.ts';
import { byMerit, type Candidate } from './rerank.ts';

/** What a passage of such a document loses: chosen on six repositories, checked on four others. */
const LOSS = 0.4;
const ASKS_FOR_CHANGES =
  /\b(?:version|release|changelog|changed?|changes|since|deprecated|removed|upgrad\w*|migrat\w*|introduced|added|fixed|news?|announce\w*|blog|post|20\d\d)s?\b|\bv?\d+\.\d/i;
const ASKS_FOR_TESTS = /\b(?:test|testing|testdata|spec|fixture|mock|sample|example)s?\b/i;

export function asidesLast(candidates: readonly Candidate[], question: string): Candidate[] {
  const [changes, tests] = [ASKS_FOR_CHANGES, ASKS_FOR_TESTS].map((asks) => asks.test(question));
  const isAside = ({ chunk, asked }: Candidate): boolean =>
    !asked &&
    !isCode(chunk) &&
    ((!changes && isHistoryPath(chunk.path)) || (!tests && isTestData(chunk.path)));
  const lowered = new Set(candidates.filter(isAside));
  // A blog that is all there is, is the documentation: without its scores its titles alone would order it.
  if (lowered.size === 0 || lowered.size === candidates.length) return [...candidates];
  return candidates
    .map((one) => (lowered.has(one) ? { ...one, score: Math.max(0, one.score - LOSS) } : one))
    .sort(byMerit);
}
