// Checks an LLM's answer and normalises it: types within the schema or OTHER, known fields only, no dangling ends, and
// the lines of the chunk that contain each name.

import {
  entityKey,
  OTHER_TYPE,
  type EntityMention,
  type FieldDefinition,
  type GraphSchema,
  type RelationMention,
} from '../../domain/graph.ts';
import type { Extraction, ExtractInput } from '../../ports/extractor.ts';
import { MAX_ENTITIES, MAX_RELATIONS } from './schema.ts';

const MAX_NAME = 256;
const MAX_TEXT = 1000;

/** What is wrong with an answer, in words the model can use to repair it. */
export class InvalidAnswer extends Error {}

export function readAnswer(
  value: unknown,
  input: ExtractInput,
  schema: GraphSchema,
): Pick<Extraction, 'entities' | 'relations'> {
  const { entities, relations } = listsOf(value);
  const lines = input.text.split('\n');
  const place = placer(lines, input.startLine);
  const named = new Map<string, EntityMention>();
  for (const item of entities.slice(0, MAX_ENTITIES)) {
    const name = nameOf(item['name']);
    if (name === '' || named.has(entityKey(name))) continue;
    named.set(entityKey(name), {
      name,
      type: normaliseType(item['type'], schema.entityTypes),
      ...described(item['description']),
      ...fielded(item['fields'], schema.entityFields),
      ...place([name]),
    });
  }
  const kept = new Map<string, RelationMention>();
  for (const item of relations.slice(0, MAX_RELATIONS)) {
    const source = nameOf(item['source']);
    const target = nameOf(item['target']);
    const type = normaliseType(item['type'], schema.relationTypes);
    const id = [entityKey(source), entityKey(target), type].join('\n');
    if (source === '' || target === '' || entityKey(source) === entityKey(target) || kept.has(id)) continue;
    kept.set(id, {
      source,
      target,
      type,
      ...described(item['description']),
      keywords: keywordsOf(item['keywords']),
      ...fielded(item['fields'], schema.relationFields),
      ...place([source, target]),
    });
    // An end that was not listed becomes an entity of its own; another chunk may name its type.
    for (const name of [source, target])
      if (!named.has(entityKey(name)))
        named.set(entityKey(name), { name, type: OTHER_TYPE, ...place([name]) });
  }
  return { entities: [...named.values()], relations: [...kept.values()] };
}

type Item = Record<string, unknown>;

function listsOf(value: unknown): { entities: Item[]; relations: Item[] } {
  const isItem = (item: unknown): item is Item =>
    typeof item === 'object' && item !== null && !Array.isArray(item);
  if (!isItem(value)) throw new InvalidAnswer('The answer must be one JSON object.');
  const { entities, relations } = value;
  if (!Array.isArray(entities) || !entities.every(isItem))
    throw new InvalidAnswer('`entities` must be a list of objects with name, type and description.');
  if (!Array.isArray(relations) || !relations.every(isItem))
    throw new InvalidAnswer(
      '`relations` must be a list of objects with source, target, type, description and keywords.',
    );
  return { entities, relations };
}

function nameOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value.normalize('NFC').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME);
}

/** Ignores case, spaces and hyphens; anything outside the list is OTHER. */
function normaliseType(value: unknown, types: readonly string[]): string {
  if (typeof value !== 'string') return OTHER_TYPE;
  const normal = (type: string) =>
    type
      .trim()
      .toUpperCase()
      .replaceAll(/[\s-]+/g, '_');
  return types.find((type) => normal(type) === normal(value)) ?? OTHER_TYPE;
}

function described(value: unknown): { description?: string } {
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT) : '';
  return text === '' ? {} : { description: text };
}

function keywordsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const words = value
    .filter((word): word is string => typeof word === 'string')
    .map((word) => word.trim().slice(0, 80));
  return [...new Set(words.filter((word) => word !== ''))].slice(0, 8);
}

/** Enums ignore case, else take the default, else are left out, as unknown fields are. */
function fielded(
  value: unknown,
  definitions: Record<string, FieldDefinition>,
): { fields?: Record<string, string> } {
  const given = typeof value === 'object' && value !== null ? (value as Item) : {};
  const fields: Record<string, string> = {};
  for (const [name, field] of Object.entries(definitions)) {
    const said = typeof given[name] === 'string' ? given[name].trim().slice(0, MAX_TEXT) : '';
    const valid =
      field.type === 'enum'
        ? field.values?.find((one) => one.toLowerCase() === said.toLowerCase())
        : said || undefined;
    const kept = valid ?? field.default;
    if (kept !== undefined) fields[name] = kept;
  }
  return Object.keys(fields).length > 0 ? { fields } : {};
}

/** The lines that hold the names; the whole chunk where they cannot be found. */
function placer(
  lines: readonly string[],
  startLine: number,
): (names: string[]) => { startLine: number; endLine: number } {
  const lower = lines.map((line) => line.toLowerCase());
  const whole = { startLine, endLine: startLine + Math.max(0, lines.length - (lines.at(-1) === '' ? 2 : 1)) };
  return (names) => {
    const hits = names.map((name) => lower.findIndex((line) => line.includes(name.toLowerCase())));
    if (hits.some((hit) => hit === -1)) return whole;
    return { startLine: startLine + Math.min(...hits), endLine: startLine + Math.max(...hits) };
  };
}
