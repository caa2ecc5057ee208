// Input fields, output shapes and hints that several of the ten tools share.

import * as z from 'zod';
import type { ToolAnnotations } from '../tool.ts';

export const query = z.string().min(1).max(5000);
export const db = z.string().min(1).max(63).optional();
export const collection = z.string().min(1).max(120).optional();
export const model = z.string().min(1).max(120).optional();
export const version = z.string().min(1).max(40).optional();
export const filter = z.record(z.string(), z.unknown()).optional();

export const MODEL_DEFAULT = 'Default: voyage-4-large with a Voyage key, else builtin-embed-1';
export const FILTER_HINT = "MongoDB-style pre-filter, e.g. {'metadata.type': 'api-doc'}";

/** An object whose fields the description or the specification names; left open so that fields can be added. */
export const record = z.record(z.string(), z.unknown());
export const records = z.array(record);
/** Fields that are there only when they have something to say. */
export const warnings = z.array(z.string()).optional();
export const truncated = z.boolean().optional();

const hints = (openWorldHint: boolean): ToolAnnotations => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint,
});

/** Reads, and may call a hosted model. */
export const READS_OPEN = hints(true);
/** Reads, and stays on this machine (or in its database). */
export const READS_LOCAL = hints(false);

export const WRITES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
