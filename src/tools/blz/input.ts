// Bounds that a schema need not spend bytes on: enforced, or clamped with a notice, and in the announced schema only where
// a model is better off knowing them.

import * as z from 'zod';

/** A whole number; the range is announced here, and clamped with a notice where it is used. */
export function count(low: number, high: number) {
  return z.int().meta({ minimum: low, maximum: high }).optional();
}

export function text(max: number) {
  return z.string().max(max).meta({ maxLength: undefined });
}

export function texts(max: number, items: number) {
  return z.array(text(max)).max(items).meta({ maxItems: undefined });
}
