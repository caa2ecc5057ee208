// The schema of flowrag.config.json. Every mistake is reported with its location; a misspelt key is answered with the
// right one.

import type { FieldDefinition, GraphSchema } from '../domain/graph.ts';
import type { GraphSettings } from '../domain/graph-settings.ts';
import { nearest } from '../domain/nearest.ts';
import { isObject } from '../domain/object.ts';
import { findProvider, providersThat, qualifiedName } from '../models/providers.ts';

export const FLOWRAG_KEYS = [
  'data',
  'docs',
  'schema',
  'embedder',
  'extractor',
  'include',
  'exclude',
  'maxBytes',
];
/** Upstream's own keys, for a server or a store we run differently. */
const FOREIGN = ['namespace', 'storage', 'transport', 'port', 'auth'];
const SCHEMA_KEYS = [
  'entityTypes',
  'relationTypes',
  'documentFields',
  'entityFields',
  'relationFields',
  'reverseFlow',
  'lexicon',
  'aliases',
];
const TYPE_NAME = /^[A-Za-z][A-Za-z0-9 _-]{0,63}$/;
const MAX_ITEMS = 500;

export type Fail = (keys: (string | number)[], problem: string) => never;

type Settings = 'data' | 'docs' | 'embedder' | 'extractor' | 'include' | 'exclude' | 'maxBytes';

export interface FlowragFile extends Partial<Pick<GraphSettings, Settings>> {
  schema?: Partial<GraphSchema>;
  warnings: string[];
}

export function checkFlowragFile(value: unknown, fail: Fail): FlowragFile {
  if (!isObject(value)) return fail([], 'the file must contain one JSON object');
  const file: FlowragFile = { warnings: [] };
  for (const key of Object.keys(value)) {
    if (FOREIGN.includes(key))
      file.warnings.push(`\`${key}\` in the FlowRAG config has no effect here; use the server's own flags.`);
    else if (!FLOWRAG_KEYS.includes(key)) unknown([key], key, FLOWRAG_KEYS, fail);
  }
  for (const key of ['data', 'docs'] as const)
    if (value[key] !== undefined) file[key] = text([key], value[key], fail);
  for (const key of ['include', 'exclude'] as const)
    if (value[key] !== undefined) file[key] = textList([key], value[key], fail);
  if (value['maxBytes'] !== undefined) file.maxBytes = number(['maxBytes'], value['maxBytes'], fail);
  if (value['schema'] !== undefined) file.schema = checkSchema(value['schema'], fail);
  if (value['embedder'] !== undefined) file.embedder = checkEmbedder(value['embedder'], fail);
  if (value['extractor'] !== undefined) file.extractor = checkExtractor(value['extractor'], fail);
  return file;
}

function checkSchema(value: unknown, fail: Fail): Partial<GraphSchema> {
  if (!isObject(value)) return fail(['schema'], '`schema` must be an object');
  const schema: Partial<GraphSchema> = {};
  for (const key of Object.keys(value))
    if (!SCHEMA_KEYS.includes(key)) unknown(['schema', key], key, SCHEMA_KEYS, fail);
  for (const key of ['entityTypes', 'relationTypes', 'reverseFlow'] as const) {
    if (value[key] === undefined) continue;
    const list = textList(['schema', key], value[key], fail);
    list.forEach((type, at) => {
      if (!TYPE_NAME.test(type))
        fail(['schema', key, at], 'a type is up to 64 letters, digits, `_`, `-` or spaces');
    });
    if (list.length === 0 && key !== 'reverseFlow') fail(['schema', key], `\`${key}\` must not be empty`);
    schema[key] = [...new Set(list)];
  }
  for (const key of ['documentFields', 'entityFields', 'relationFields'] as const)
    if (value[key] !== undefined) schema[key] = checkFields(['schema', key], value[key], fail);
  for (const key of ['lexicon', 'aliases'] as const) {
    const lists = value[key];
    if (lists === undefined) continue;
    if (!isObject(lists)) return fail(['schema', key], `\`${key}\` must be an object of lists`);
    schema[key] = Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, textList(['schema', key, name], list, fail)]),
    );
  }
  return schema;
}

function checkFields(at: string[], value: unknown, fail: Fail): Record<string, FieldDefinition> {
  if (!isObject(value)) return fail(at, `\`${at.at(-1)}\` must be an object of field definitions`);
  const fields: Record<string, FieldDefinition> = {};
  for (const [name, field] of Object.entries(value)) {
    const here = [...at, name];
    if (!isObject(field)) return fail(here, `the field \`${name}\` must be an object`);
    for (const key of Object.keys(field))
      if (!['type', 'values', 'default', 'filterable'].includes(key))
        unknown([...here, key], key, ['type', 'values', 'default', 'filterable'], fail);
    const { type = 'string' } = field;
    if (type !== 'string' && type !== 'enum')
      return fail([...here, 'type'], 'a field is of type string or enum');
    const values =
      field['values'] === undefined ? undefined : textList([...here, 'values'], field['values'], fail);
    if (type === 'enum' && !values?.length) return fail(here, `the enum \`${name}\` needs \`values\``);
    const fallback =
      field['default'] === undefined ? undefined : text([...here, 'default'], field['default'], fail);
    if (type === 'enum' && fallback !== undefined && !values!.includes(fallback))
      return fail([...here, 'default'], 'the default must be one of the values');
    fields[name] = {
      type,
      ...(values ? { values } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(field['filterable'] === true ? { filterable: true } : {}),
    };
  }
  return fields;
}

function checkEmbedder(value: unknown, fail: Fail): GraphSettings['embedder'] {
  const { provider, model, rest } = checkProvider('embedder', 'embed', value, fail);
  for (const key of Object.keys(rest))
    if (key !== 'dimensions') unknown(['embedder', key], key, ['provider', 'model', 'dimensions'], fail);
  const dimensions = rest['dimensions'];
  return {
    provider: provider.id,
    model: qualifiedName(provider, model),
    ...(dimensions === undefined ? {} : { dimensions: number(['embedder', 'dimensions'], dimensions, fail) }),
  };
}

function checkExtractor(value: unknown, fail: Fail): GraphSettings['extractor'] {
  const { provider, model, rest } = checkProvider('extractor', 'extract', value, fail);
  for (const key of Object.keys(rest))
    if (key !== 'maxCost') unknown(['extractor', key], key, ['provider', 'model', 'maxCost'], fail);
  const cost = rest['maxCost'];
  if (cost !== undefined && (typeof cost !== 'number' || !(cost >= 0)))
    return fail(['extractor', 'maxCost'], '`maxCost` must be an amount in dollars');
  return { provider: provider.id, model, ...(typeof cost === 'number' ? { maxCost: cost } : {}) };
}

function checkProvider(key: string, ability: 'embed' | 'extract', value: unknown, fail: Fail) {
  const able = providersThat(ability);
  if (!isObject(value))
    return fail([key], `\`${key}\` must be an object such as { "provider": "${able[0]!.id}" }`);
  const { provider: id, model: named, ...rest } = value;
  const name = text([key, 'provider'], id, fail);
  const provider = able.find((one) => one.id === name);
  const ids = able.map((one) => one.id).join(', ');
  if (!provider)
    return fail(
      [key, 'provider'],
      findProvider(name)
        ? `\`${name}\` has no ${key}; use one of ${ids}`
        : `\`${key}.provider\` must be one of ${ids}`,
    );
  const model = named === undefined ? provider.defaults[ability] : text([key, 'model'], named, fail);
  return model === undefined ? fail([key], `\`${name}\` needs a \`model\``) : { provider, model, rest };
}

function text(at: (string | number)[], value: unknown, fail: Fail): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 4096)
    return fail(at, `\`${at.join('.')}\` must be a text`);
  return value;
}

function textList(at: (string | number)[], value: unknown, fail: Fail): string[] {
  if (!Array.isArray(value) || value.length > MAX_ITEMS)
    return fail(at, `\`${at.join('.')}\` must be a list of texts`);
  return value.map((item, index) => text([...at, index], item, fail));
}

function number(at: (string | number)[], value: unknown, fail: Fail): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    return fail(at, `\`${at.join('.')}\` must be a whole number above 0`);
  return value;
}

function unknown(at: (string | number)[], key: string, known: readonly string[], fail: Fail): never {
  const [close] = nearest(key, known);
  return fail(
    at,
    `there is no key \`${key.slice(0, 60)}\` here${close ? `; did you mean \`${close}\`?` : ''}`,
  );
}
