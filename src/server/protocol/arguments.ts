// Arguments of a call made valid once, with errors a model can act on: which argument, what was wrong, which name it
// probably meant. Nothing of the value itself is repeated, because it may be long or private.

import type * as z from 'zod';
import { VaiError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';

const MAX_ISSUES = 4;

export function parseArguments<Input extends z.ZodObject>(
  schema: Input,
  values: Record<string, unknown>,
): z.output<Input> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const sentences: string[] = [];
  const suggestions: string[] = [];
  for (const issue of parsed.error.issues.slice(0, MAX_ISSUES)) {
    sentences.push(...describeIssue(issue, known, suggestions));
  }
  const hidden = parsed.error.issues.length - MAX_ISSUES;
  if (hidden > 0) sentences.push(`${hidden} more problem${hidden === 1 ? '' : 's'}.`);
  throw new VaiError('INVALID_INPUT', sentences.join(' '), {
    hint: suggestions.length
      ? `Did you mean ${suggestions.map((name) => `\`${name}\``).join(' or ')}?`
      : `Valid arguments: ${known.map((name) => `\`${name}\``).join(', ') || 'none'}.`,
    suggestions,
  });
}

function describeIssue(issue: z.core.$ZodIssue, known: string[], suggestions: string[]): string[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return issue.keys.slice(0, MAX_ISSUES).map((key) => {
      for (const name of nearest(key, known, 1)) if (!suggestions.includes(name)) suggestions.push(name);
      return `Unknown argument \`${printable(key)}\`.`;
    });
  }
  const where = issue.path.map((part) => printable(String(part))).join('.');
  return [`${where ? `\`${where}\`: ` : ''}${sentence(issue.message)}`];
}

function sentence(text: string): string {
  const short = printable(text, 300);
  return /[.!?]$/.test(short) ? short : `${short}.`;
}

/** Names come from the caller and go back to a model: bounded, one line, no control characters. */
export function printable(text: string, limit = 80): string {
  // eslint-disable-next-line no-control-regex
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f`]/g, ' ');
  return clean.length > limit ? `${clean.slice(0, limit)}…` : clean;
}
