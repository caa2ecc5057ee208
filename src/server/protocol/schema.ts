// JSON Schemas for `tools/list`, made once from the zod objects that also validate the call. Every byte here is read by
// a model before it does anything, so what says nothing is dropped.

import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

export function inputSchema(schema: z.ZodObject): JsonSchema {
  return compact(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema;
}

/**
 * Output objects stay open: a client rejects a result with a field its copy of the schema lacks, so a closed schema would
 * turn every later addition into a failure of older clients.
 */
export function outputSchema(schema: z.ZodObject): JsonSchema {
  return open(compact(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))) as JsonSchema;
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
  if (key === 'maximum' && value === MAX_SAFE) return true;
  if (key === 'minimum' && value === -MAX_SAFE) return true;
  if (key === 'additionalProperties' && isEmptyObject(value)) return true;
  return key === 'propertyNames' && isPlainString(value);
}

function open(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(open);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, open(value)]),
  );
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isPlainString(value: unknown): boolean {
  return typeof value === 'object' && value !== null && JSON.stringify(value) === '{"type":"string"}';
}
