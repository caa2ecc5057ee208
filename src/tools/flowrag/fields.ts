// Inputs, outputs and annotations that several of the tools share.

import * as z from 'zod';
import type { ToolAnnotations } from '../tool.ts';

export const entity = z.string().trim().min(1).max(256);
/** Fields are named by the description; left open so that some can be added. */
export const record = z.record(z.string(), z.unknown());
export const records = z.array(record);
export const texts = z.array(z.string());

export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

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
