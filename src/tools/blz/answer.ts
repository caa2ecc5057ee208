// An answer of a blz tool: compact JSON as text and the same as structured content.

import * as z from 'zod';
import { BLZ_ERROR_NAMES, ERRORS, type VaiError } from '../../domain/errors.ts';
import { UNTRUSTED, type ToolAnnotations, type ToolResult } from '../tool.ts';

export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** Names no field, to keep the list of tools small: a client then keeps every field there is. */
export const ANY = z.object({});

export function answer(payload: object): ToolResult {
  const text = JSON.stringify(payload);
  return { structured: { ...payload }, size: text.length, text };
}

/** An answer that quotes documents says so first, in both copies. */
export const quoting = (payload: object): ToolResult => answer({ untrusted: UNTRUSTED, ...payload });

/** The text of a failed call: the specification's numbers, a sentence and what to do next. */
export function blzErrorText(error: VaiError, mask: (text: string) => string): string {
  const code = ERRORS[error.code].blz;
  const { retryAfterSeconds, correlationId } = error.data ?? {};
  return JSON.stringify({
    error: {
      code,
      name: BLZ_ERROR_NAMES[code],
      message: mask(error.message),
      ...(error.hint ? { hint: mask(error.hint) } : {}),
      ...(error.suggestions?.length ? { suggestions: error.suggestions } : {}),
      ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
      ...(correlationId ? { correlationId } : {}),
    },
  });
}
