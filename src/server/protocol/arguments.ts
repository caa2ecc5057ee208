// Arguments of a call made valid once, with errors a model can act on: which argument, what it must be, which name it
// probably meant. Nothing of the value itself is repeated, because it may be long or private.

import type * as z from 'zod';
import { VaiError } from '../../domain/errors.ts';
import { didYouMean, nearest } from '../../domain/nearest.ts';
import { accept, type Declared, type DeclaredArguments } from './accept.ts';

const MAX_ISSUES = 4;

export function parseArguments<Input extends z.ZodObject>(
  schema: Input,
  declared: DeclaredArguments,
  values: Record<string, unknown>,
): z.output<Input> {
  const given = accept(values, declared);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const known = Object.keys(declared.properties);
  const sentences: string[] = [];
  const suggestions = new Set<string>();
  let unknown = false;
  for (const issue of parsed.error.issues.slice(0, MAX_ISSUES)) {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
      unknown = true;
      for (const key of issue.keys.slice(0, MAX_ISSUES)) {
        for (const name of nearest(key, known, 1)) suggestions.add(name);
        sentences.push(`Unknown argument \`${printable(key)}\`.`);
      }
    } else sentences.push(describe(issue, declared, given));
  }
  const hidden = parsed.error.issues.length - MAX_ISSUES;
  if (hidden > 0) sentences.push(`${hidden} more problem${hidden === 1 ? '' : 's'}.`);
  throw new VaiError('INVALID_INPUT', sentences.join(' '), {
    ...(unknown ? { hint: didYouMean([...suggestions], ' or ') ?? validArguments(known) } : {}),
    suggestions: [...suggestions],
  });
}

function validArguments(known: readonly string[]): string {
  return `Valid arguments: ${known.map((name) => `\`${name}\``).join(', ') || 'none'}.`;
}

function describe(issue: z.core.$ZodIssue, { properties }: DeclaredArguments, given: unknown): string {
  const [name, ...rest] = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  const inner = rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  const where = `\`${printable(`${name ?? ''}${inner}`)}\``;
  const value = issue.path.reduce<unknown>(
    (at, part) => (at as Record<PropertyKey, unknown> | null | undefined)?.[part],
    given,
  );
  if (value === undefined || value === null) return `${where} is required.`;
  const unit = typeof value === 'string' ? 'characters' : Array.isArray(value) ? 'items' : undefined;
  if (unit && issue.code === 'too_big') return `${where} may have at most ${issue.maximum} ${unit}.`;
  if (unit && issue.code === 'too_small')
    return issue.minimum === 1
      ? `${where} must not be empty.`
      : `${where} needs at least ${issue.minimum} ${unit}.`;
  const declared = rest.reduce<Declared | undefined>((at) => at?.items, properties[String(name)]);
  return `${where} must be ${kindOf(declared)}.`;
}

/** What a value must be, in the words of a person. */
function kindOf(declared: Declared | undefined): string {
  const { type, enum: choices, anyOf, items, minimum, maximum } = declared ?? {};
  if (anyOf) return anyOf.map(kindOf).join(' or ');
  if (choices) return `one of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}`;
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number': {
      const kind = type === 'integer' ? 'a whole number' : 'a number';
      // Every number a tool takes has both bounds.
      return minimum === undefined || maximum === undefined ? kind : `${kind} from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return 'true or false';
    case 'array':
      return items?.type === 'string' ? 'a list of texts' : 'a list';
    case 'object':
      return 'an object';
    default:
      return 'something else';
  }
}

/** Names come from the caller and go back to a model: bounded, one line, no control characters. */
export function printable(text: string, limit = 80): string {
  // eslint-disable-next-line no-control-regex
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f`]/g, ' ');
  return clean.length > limit ? `${clean.slice(0, limit)}…` : clean;
}
