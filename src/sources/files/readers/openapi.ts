// An OpenAPI description (2.0 to 3.1, JSON or YAML) as Markdown: a section for each operation and each schema, so that a
// search finds the operation and not a line of braces. References are named, never followed. Aliases of YAML may repeat a
// schema or put it into itself, so what is written has a limit.

import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import { VaiError } from '../../../domain/errors.ts';
import { isObject, record, records, type JsonRecord } from '../../../domain/object.ts';
import { collapseSpace } from '../../../domain/text.ts';
import { decodeText, shortName } from '../decode.ts';
import { orDamaged, readText, type Reader } from '../reader.ts';
import { parseYaml } from '../yaml.ts';
import { readPlain } from './plain.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** How deep a schema is written out where it is used. */
const MAX_DEPTH = 4;
const MAX_CHARACTERS = 50_000_000;
/** What a line costs beside its characters. */
const LINE_COST = 100;
/** A description may use one schema for a hundred operations. */
const MAX_ALIASES = 1_000;

/** Takes what a line of text costs; throws when too much was written. */
type Spend = (text: string) => void;

export const readOpenApi: Reader = async (name, bytes) => {
  const { text, notices } = decodeText(name, bytes);
  const api = await orDamaged(name, async () =>
    record(text.trimStart().startsWith('{') ? parseJson(text) : parseYaml(text, MAX_ALIASES)),
  );
  // It only holds one somewhere.
  if (api['openapi'] === undefined && api['swagger'] === undefined) return readPlain(name, bytes);
  const info = record(api['info']);
  const title = line(info['title']) || 'API';
  const version = line(info['version']);
  const parts: string[] = [];
  let left = MAX_CHARACTERS;
  const spend: Spend = (text) => {
    left -= text.length + LINE_COST;
    if (left < 0) throw new VaiError('TOO_LARGE', `${shortName(name)} holds too much text.`);
  };
  for (const part of sections(api, `# ${title}`, spend)) {
    spend(part);
    if (part) parts.push(part);
  }
  return readText({
    text: `${parts.join('\n\n')}\n`,
    syntax: 'markdown',
    title,
    metadata: version ? { version } : {},
    notices,
  });
};

/** With comments and trailing commas, where people keep it by hand. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw thrown;
    return value;
  }
}

function* sections(api: JsonRecord, title: string, spend: Spend): Generator<string> {
  const info = record(api['info']);
  const version = line(info['version']);
  yield title;
  yield version && `Version ${version}.`;
  yield prose(info['description']);
  for (const server of records(api['servers'])) yield `Server: ${line(server['url'])}`;
  for (const [path, item] of Object.entries(record(api['paths'])))
    yield* operations(path, record(item), spend);
  const schemas = { ...record(api['definitions']), ...record(record(api['components'])['schemas']) };
  for (const [name, value] of Object.entries(schemas)) yield* schema(name, value, spend);
}

function operations(path: string, item: JsonRecord, spend: Spend): string[] {
  return METHODS.flatMap((method) => {
    const operation = item[method];
    if (!isObject(operation)) return [];
    const parameters = [...records(item['parameters']), ...records(operation['parameters'])];
    const id = line(operation['operationId']);
    return [
      `## ${method.toUpperCase()} ${line(path)}`,
      line(operation['summary']),
      prose(operation['description']),
      list([
        id && `operation: \`${id}\``,
        operation['deprecated'] === true && 'deprecated',
        tagsOf(operation['tags']),
      ]),
      section('Parameters', parameters.map(parameter)),
      section('Request body', body(operation['requestBody'], spend)),
      section(
        'Responses',
        Object.entries(record(operation['responses'])).map((one) => response(one, spend)),
      ),
    ];
  });
}

function tagsOf(tags: unknown): string {
  const names = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  return names.length > 0 ? `tags: ${names.map(line).join(', ')}` : '';
}

function parameter(one: JsonRecord): string {
  if (typeof one['$ref'] === 'string') return `- ${reference(one['$ref'])}`;
  const kind = typeOf(one['schema'] ?? one);
  const required = one['required'] === true ? ', required' : '';
  return item(`\`${line(one['name'])}\` (${line(one['in'])}, ${kind}${required})`, one['description']);
}

function body(value: unknown, spend: Spend): string[] {
  const request = record(value);
  if (typeof request['$ref'] === 'string') return [`- ${reference(request['$ref'])}`];
  return content(request, spend);
}

function content(holder: JsonRecord, spend: Spend): string[] {
  return Object.entries(record(holder['content'])).flatMap(([media, value]) => {
    const { schema } = record(value);
    return [`- ${line(media)}: ${typeOf(schema)}`, ...properties(schema, 1, spend)];
  });
}

function response([status, value]: [string, unknown], spend: Spend): string {
  const answer = record(value);
  if (typeof answer['$ref'] === 'string') return `- ${line(status)}: ${reference(answer['$ref'])}`;
  const direct = answer['schema'] === undefined ? [] : [`- ${typeOf(answer['schema'])}`];
  return [item(line(status), answer['description']), ...indent([...direct, ...content(answer, spend)])].join(
    '\n',
  );
}

function schema(name: string, value: unknown, spend: Spend): string[] {
  return [
    `## Schema ${line(name)}`,
    prose(record(value)['description']),
    section(`Type ${typeOf(value)}`, properties(value, 0, spend)),
  ];
}

/** The fields of an object as a nested list. */
function properties(schema: unknown, depth: number, spend: Spend): string[] {
  if (depth >= MAX_DEPTH) return [];
  const outer = record(schema);
  const items = record(outer['items']);
  const object = isObject(items['properties']) ? items : outer;
  const required = new Set(Array.isArray(object['required']) ? object['required'] : []);
  const rows = Object.entries(record(object['properties'])).flatMap(([name, value]) => {
    const row = item(
      `\`${line(name)}\` (${typeOf(value)}${required.has(name) ? ', required' : ''})`,
      record(value)['description'],
    );
    spend(row);
    return [row, ...properties(value, depth + 1, spend)];
  });
  return depth > 0 ? indent(rows) : rows;
}

function typeOf(schema: unknown): string {
  const one = record(schema);
  if (typeof one['$ref'] === 'string') return reference(one['$ref']);
  for (const [field, word] of [
    ['oneOf', ' or '],
    ['anyOf', ' or '],
    ['allOf', ' and '],
  ] as const) {
    const options = records(one[field]).slice(0, 20);
    if (options.length > 0) return options.map(shallow).join(word);
  }
  const type = Array.isArray(one['type']) ? one['type'].map(line).join(' or ') : line(one['type']);
  if (type === 'array') return `list of ${shallow(record(one['items']))}`;
  const values = Array.isArray(one['enum']) ? `: ${one['enum'].slice(0, 50).map(line).join(', ')}` : '';
  return `${type || 'any'}${values}`;
}

function shallow(schema: JsonRecord): string {
  return typeof schema['$ref'] === 'string' ? reference(schema['$ref']) : line(schema['type']) || 'object';
}

/** `#/components/schemas/Pet` reads Pet. */
function reference(pointer: string): string {
  return line(pointer.slice(pointer.lastIndexOf('/') + 1)) || 'any';
}

function section(name: string, rows: string[]): string {
  return rows.length > 0 ? `${name}:\n\n${rows.join('\n')}` : '';
}

function list(rows: (string | false)[]): string {
  return rows
    .filter(Boolean)
    .map((row) => `- ${String(row)}`)
    .join('\n');
}

function item(label: string, description: unknown): string {
  const text = line(description);
  return `- ${label}${text ? `: ${text}` : ''}`;
}

function indent(rows: string[]): string[] {
  return rows.map((row) => `  ${row}`);
}

function line(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? collapseSpace(value).trim() : '';
}

/** Markdown of the author, in which no heading may pass for one of ours. */
function prose(value: unknown): string {
  return typeof value === 'string' ? value.trim().replaceAll(/^#{1,6}(?=\s)/gm, '###') : '';
}
