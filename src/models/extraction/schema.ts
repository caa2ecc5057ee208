// The answer an LLM has to give, as a JSON schema within the subset every provider understands.

import { OTHER_TYPE, type FieldDefinition, type GraphSchema } from '../../domain/graph.ts';

export const MAX_ENTITIES = 40;
export const MAX_RELATIONS = 60;

export type JsonSchema = Record<string, unknown>;

export function answerSchema(schema: GraphSchema): JsonSchema {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      entities: {
        type: 'array',
        maxItems: MAX_ENTITIES,
        items: {
          type: 'object',
          properties: {
            name: text,
            type: oneOf(schema.entityTypes),
            description: text,
            ...fields(schema.entityFields),
          },
          required: ['name', 'type', 'description'],
        },
      },
      relations: {
        type: 'array',
        maxItems: MAX_RELATIONS,
        items: {
          type: 'object',
          properties: {
            source: text,
            target: text,
            type: oneOf(schema.relationTypes),
            description: text,
            keywords: { type: 'array', maxItems: 8, items: text },
            ...fields(schema.relationFields),
          },
          required: ['source', 'target', 'type', 'description', 'keywords'],
        },
      },
    },
    required: ['entities', 'relations'],
  };
}

function oneOf(types: readonly string[]): JsonSchema {
  return { type: 'string', enum: [...new Set([...types, OTHER_TYPE])] };
}

/** Fields appear by name: providers ignore objects of any shape. */
function fields(definitions: Record<string, FieldDefinition>): JsonSchema {
  const entries = Object.entries(definitions);
  if (entries.length === 0) return {};
  const properties = Object.fromEntries(
    entries.map(([name, field]) => [
      name,
      field.type === 'enum' ? { type: 'string', enum: field.values ?? [] } : { type: 'string' },
    ]),
  );
  return { fields: { type: 'object', properties } };
}
