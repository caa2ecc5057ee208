// What an answer is worth, for a person: the first line of it. The engine's own notices say the same to a model.

import type { Verdict } from '../engine/search/types.ts';
import type { Frame } from './frame.ts';

const ADVICE: Record<Verdict, string> = {
  answered: '',
  weak: '. No passage clearly answers this; check the best ones, or rephrase the question.',
  nothing_relevant: '. Nothing here seems to answer this; these passages are only the closest matches.',
};

/** The line, and the notices it does not replace. */
export function withVerdict<Notice extends { code: string }>(
  { terminal }: Frame,
  {
    verdict,
    hits,
    notices = [],
  }: { verdict?: Verdict; hits: readonly unknown[]; notices?: readonly Notice[] },
): { lines: string[]; others: Notice[] } {
  const others = notices.filter(({ code }) => code !== verdict);
  if (!verdict || hits.length === 0) return { lines: [], others };
  const paint = verdict === 'answered' ? terminal.green : terminal.yellow;
  return { lines: [paint(`Verdict: ${verdict}${ADVICE[verdict]}`)], others };
}
