// How much is read for one search. In a very large collection the most common words are left out of the ranking, with a
// notice; required words and the rarest ones never are.

import type { Plan, QueryPlan } from '../../../../domain/words/plan.ts';
import type { Database } from '../../database.ts';
import { parallel } from '../../parallel.ts';
import { MAX_ENTRIES } from './read.ts';

interface Budgeted {
  plan: QueryPlan;
  terms: readonly string[];
  names: readonly string[];
  notices: string[];
}

/** The terms whose entries may be read. */
export async function withinBudget(
  database: Database,
  { plan, terms, names, notices }: Budgeted,
): Promise<readonly string[]> {
  const required = new Set([...plan.must, ...plan.not].flatMap(termsOf));
  const entries = new Map<string, number>();
  await parallel(terms, async (term) => {
    const found = await database
      .own('postings')
      .countDocuments({ collection: { $in: [...names] }, tokens: term }, database.limits);
    entries.set(term, found);
  });
  const rarest = [...terms].sort((a, b) => entries.get(a)! - entries.get(b)!);
  let sum = 0;
  const kept = rarest.filter((term, at) => {
    if (at > 0 && sum + entries.get(term)! > MAX_ENTRIES && !required.has(term)) return false;
    sum += entries.get(term)!;
    return true;
  });
  const left = terms.filter((term) => !kept.includes(term));
  if (left.length > 0)
    notices.push(`Left out of the ranking because nearly every passage has them: ${left.join(', ')}.`);
  return kept;
}

function termsOf(plan: Plan): readonly string[] {
  return plan.kind === 'leaf' ? plan.terms : plan.parts.flatMap(termsOf);
}
