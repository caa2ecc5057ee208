// Input fields, output fields and hints that several of the vai tools share.

import * as z from 'zod';
import type { ToolAnnotations } from '../tool.ts';

export { READS_LOCAL, READS_OPEN, record, records } from '../shared/fields.ts';

export const query = z.string().min(1).max(5000);
export const db = z.string().min(1).max(63).optional();
export const collection = z.string().min(1).max(120).optional();
export const model = z.string().min(1).max(120).optional();
export const version = z.string().min(1).max(40).optional();
export const filter = z.record(z.string(), z.unknown()).optional();

export const MODEL_DEFAULT = 'Default: voyage-4-large with a Voyage key, else builtin-embed-1';
export const FILTER_HINT = "MongoDB-style pre-filter, e.g. {'metadata.type': 'api-doc'}";

/** Fields that are there only when they have something to say. */
export const warnings = z.array(z.string()).optional();
export const truncated = z.boolean().optional();

/** Nothing where there is nothing to warn of. */
export const warned = (warnings: readonly string[]) => (warnings.length ? { warnings } : {});

export const WRITES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
