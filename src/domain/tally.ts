// How often each value was stated. An entity has the type and description that most of its mentions state, whatever the
// order in which files were read; counting keeps that exact without reading every mention again.

import { OTHER_TYPE } from './graph.ts';

export type Counts = Map<string, number>;

/** Counts per aspect: `name`, `type`, `keyword`, `source`, `target`, `sure`, `by`, or `field:` and its name. */
export type Tally = Map<string, Counts>;

export function addVote(tally: Tally, aspect: string, value: string, by: 1 | -1): void {
  let counts = tally.get(aspect);
  if (!counts) tally.set(aspect, (counts = new Map<string, number>()));
  const next = (counts.get(value) ?? 0) + by;
  if (next > 0) counts.set(value, next);
  else counts.delete(value);
  if (counts.size === 0) tally.delete(aspect);
}

export function addFields(tally: Tally, fields: Record<string, string> | undefined, by: 1 | -1): void {
  for (const [field, value] of Object.entries(fields ?? {})) addVote(tally, `field:${field}`, value, by);
}

export function readTally(text: string): Tally {
  const entries = JSON.parse(text) as [string, [string, number][]][];
  return new Map(entries.map(([aspect, counts]) => [aspect, new Map(counts)]));
}

export function writeTally(tally: Tally): string {
  return JSON.stringify([...tally].map(([aspect, counts]) => [aspect, [...counts]]));
}

export function mergeTallies(tallies: readonly Tally[]): Tally {
  if (tallies.length === 1) return tallies[0]!;
  const merged: Tally = new Map();
  for (const tally of tallies) {
    for (const [aspect, counts] of tally) {
      const into = merged.get(aspect) ?? new Map<string, number>();
      for (const [value, count] of counts) into.set(value, (into.get(value) ?? 0) + count);
      merged.set(aspect, into);
    }
  }
  return merged;
}

/** Values by how often they were stated, then alphabetically. */
export function ranked(tally: Tally, aspect: string): string[] {
  const counts = [...(tally.get(aspect) ?? [])];
  return counts.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
}

/** The type most mentions agree on; `OTHER` says nothing and loses to any named type. */
export function typeOf(tally: Tally): string {
  return ranked(tally, 'type').find((type) => type !== OTHER_TYPE) ?? OTHER_TYPE;
}

export function fieldsOf(tally: Tally): Record<string, string> {
  const fields: [string, string][] = [];
  for (const aspect of [...tally.keys()].sort())
    if (aspect.startsWith('field:')) fields.push([aspect.slice(6), ranked(tally, aspect)[0]!]);
  return Object.fromEntries(fields);
}

/** For relations without a confidence: those a model found, and those stored before confidence existed. */
const USUAL_CONFIDENCE = 0.8;
/**
 * Weight of each further place that states the same, next to the most confident one: the same mistake is often made
 * twice.
 */
const FURTHER = 0.35;
const MOST_FURTHER = 4;

/** How sure a statement is, as it is counted: two digits are enough, and the same number counts as the same. */
export function sureness(confidence: number | undefined): string {
  return Math.min(0.99, Math.max(0.01, confidence ?? USUAL_CONFIDENCE)).toFixed(2);
}

/** Confidence of a relation: that of its most confident place, plus a little for every other. */
export function confidenceOf(tally: Tally): number {
  const levels = [...(tally.get('sure') ?? [])].map(([value, count]) => ({ value: Number(value), count }));
  levels.sort((a, b) => b.value - a.value);
  const [best] = levels;
  if (!best) return USUAL_CONFIDENCE;
  let doubt = 1 - best.value;
  let left = MOST_FURTHER;
  best.count -= 1;
  for (const { value, count } of levels) {
    const places = Math.min(left, count);
    doubt *= (1 - FURTHER * value) ** places;
    left -= places;
  }
  return Math.round((1 - doubt) * 100) / 100;
}
