// JSON Schemas for `tools/list`, made once from the zod objects that also validate the call. Every byte here is read by
// a model before it does anything, so what says nothing is dropped.

import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
/** Longer than any name a model would write: the server enforces such a limit, and the schema need not tell it. */
const NAME_LENGTH = 2_048;

export function inputSchema(schema: z.ZodObject): JsonSchema {
  const made = compact(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema;
  const { properties = {}, required = [] } = made as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  // An empty text means that an optional argument was left out.
  for (const [name, property] of Object.entries(properties))
    if (!required.includes(name)) delete property['minLength'];
  return made;
}

export function outputSchema(schema: z.ZodObject): JsonSchema {
  const { properties, ...rest } = compact(
    z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }),
  ) as JsonSchema;
  return isEmptyObject(properties) ? rest : { ...rest, properties };
}

function compact(node: unknown, isMap = false): unknown {
  if (Array.isArray(node)) return node.map((item) => compact(item));
  if (typeof node !== 'object' || node === null) return node;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (!isMap && saysNothing(key, value)) continue;
    kept[key] = compact(value, !isMap && (key === 'properties' || key === '$defs'));
  }
  return kept;
}

function saysNothing(key: string, value: unknown): boolean {
  if (key === '$schema') return true;
  if (key === 'maxLength' && Number(value) <= NAME_LENGTH) return true;
  if (key === 'maximum' && value === MAX_SAFE) return true;
  if (key === 'minimum' && value === -MAX_SAFE) return true;
  // No schema is closed. The server refuses unknown arguments itself and names the nearest; Gemini's own SDK converts no
  // tool that says `false`; and a client would reject an answer with a field that its copy of the schema lacks.
  if (key === 'additionalProperties' && (value === false || isEmptyObject(value))) return true;
  return key === 'propertyNames' && isPlainString(value);
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isPlainString(value: unknown): boolean {
  return typeof value === 'object' && value !== null && JSON.stringify(value) === '{"type":"string"}';
}
