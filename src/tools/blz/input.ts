// Arguments as models really send them: a number as a string, one citation instead of a list. The schema a client sees
// stays the plain one; bounds that are not errors (they are clamped with a notice) are only announced.

import * as z from 'zod';

/** A whole number or its digits; the range is announced, not enforced. */
export function count(low: number, high: number) {
  const number = z.int().meta({ minimum: low, maximum: high });
  return z.preprocess(toNumber, number).optional();
}

/** Text with a limit that need not be in the schema, where every byte is read by a model. */
export function text(max: number) {
  return z.string().refine((value) => value.length <= max, `at most ${max} characters`);
}

/** A list, or one value that stands for a list of one. */
export function texts(max: number, items: number) {
  const list = z.array(text(max)).refine((value) => value.length <= items, `at most ${items} items`);
  return z.preprocess((value) => (typeof value === 'string' ? [value] : value), list);
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
}

/**
 * An object that refuses unknown arguments. The refusal names the nearest valid argument, so the schema need not spend
 * bytes on saying that there are no others.
 */
export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape).meta({ additionalProperties: undefined });
}
