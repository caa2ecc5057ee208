// An answer of a blz tool: compact JSON as text and the same as structured content.

import { BLZ_ERROR_NAMES, ERRORS, type VaiError } from '../../domain/errors.ts';
import type { ToolAnnotations, ToolResult } from '../tool.ts';

export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

export function answer(payload: object): ToolResult {
  const text = JSON.stringify(payload);
  return { structured: { ...payload }, size: text.length, text };
}

/** The text of a failed call: the seed's numbers, a sentence and what to do next. */
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
