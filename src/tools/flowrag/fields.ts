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
