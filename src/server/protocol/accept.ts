// What clients really send, made into what a tool declares, by one set of rules for every tool. Frameworks send `null`
// for what is optional, models in strict mode `""` and `[]`, and some converters know no number, boolean or object but
// write them as text. Nothing is refused here: whatever fits no rule stays as it is, and the tool's own schema judges it.

import { isObject } from '../../domain/object.ts';
import type { JsonSchema } from './schema.ts';

/** What these rules and the messages about arguments read of a JSON Schema. */
export interface Declared {
  type?: string;
  enum?: unknown[];
  anyOf?: Declared[];
  items?: Declared;
  minimum?: number;
  maximum?: number;
  'x-mcp-header'?: string;
}

export interface DeclaredArguments {
  properties: Record<string, Declared>;
  required: readonly string[];
}

export function declaredArguments(schema: JsonSchema): DeclaredArguments {
  const { properties = {}, required = [] } = schema as Partial<DeclaredArguments>;
  return { properties, required };
}

export function accept(
  values: Record<string, unknown>,
  { properties, required }: DeclaredArguments,
): Record<string, unknown> {
  const given: [string, unknown][] = [];
  for (const [name, value] of Object.entries(values)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (declared && isAbsent(value) && !required.includes(name)) continue;
    given.push([name, declared ? asDeclared(value, declared) : value]);
  }
  return Object.fromEntries(given);
}

/** For what is optional these all mean that it was left out. */
function isAbsent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || (Array.isArray(value) && value.length === 0);
}

function asDeclared(value: unknown, { type, anyOf }: Declared): unknown {
  if (typeof value !== 'string') return value;
  if (anyOf?.some((one) => one.type === 'array')) return parsed(value, Array.isArray) ?? value;
  switch (type) {
    case 'integer':
    case 'number':
      return /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value) ? Number(value) : value;
    case 'boolean':
      return /^\s*(?:true|false)\s*$/i.test(value) ? value.trim().toLowerCase() === 'true' : value;
    case 'object':
      return parsed(value, isObject) ?? value;
    case 'array':
      // One value stands for a list of one.
      return parsed(value, Array.isArray) ?? [value];
    default:
      return value;
  }
}

/** The value of a JSON text, if it is one of this kind. */
function parsed(text: string, isWanted: (value: unknown) => boolean): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isWanted(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
