// Output shapes and hints that tools of several toolsets share.

import * as z from 'zod';
import type { ToolAnnotations } from '../tool.ts';

/** An object whose fields the description or the specification names; left open so that fields can be added. */
export const record = z.record(z.string(), z.unknown());
export const records = z.array(record);

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
