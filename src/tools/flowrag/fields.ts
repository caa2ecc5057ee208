// Inputs and outputs that several of the tools share.

import * as z from 'zod';

export { READS_LOCAL, READS_OPEN, record, records } from '../shared/fields.ts';

export const entity = z.string().trim().min(1).max(256);
export const texts = z.array(z.string());

/** A whole number from 1; the range is announced here, and clamped with a notice where it is used. */
export function upTo(most: number, usual: number) {
  return z.int().meta({ minimum: 1, maximum: most }).default(usual);
}

export function clamp(name: string, given: number, most: number): { value: number; notices: string[] } {
  const value = Math.min(Math.max(given, 1), most);
  const notices =
    value === given ? [] : [`${name} ${given} was read as ${value}: it goes from 1 to ${most}.`];
  return { value, notices };
}
