// YAML (`---`) or TOML (`+++`) before a Markdown text, as metadata. Bounded in size, depth, keys and aliases; what
// cannot be parsed is noted and left alone, because the text is still worth reading.

import type { Metadata, MetadataValue } from '../../domain/document.ts';
import { isObject } from '../../domain/object.ts';

const MAX_FRONT_MATTER = 64_000;
const MAX_KEYS = 64;
const MAX_ITEMS = 100;
const MAX_DEPTH = 4;
const MAX_STRING = 2000;

export async function parseFrontMatter(text: string, notices: string[]): Promise<Metadata | undefined> {
  const found = findFrontMatter(text);
  if (!found) return undefined;
  const parse = await parserOf(found.format);
  let value: unknown;
  try {
    // The library's call alone: what fails in our own code must not be blamed on the file.
    value = parse(found.body);
  } catch {
    notices.push('The front matter could not be parsed and was left out of the metadata.');
  }
  return isObject(value) ? (tidy(value, 0) as Metadata) : undefined;
}

function findFrontMatter(text: string): { format: 'yaml' | 'toml'; body: string } | undefined {
  const format = text.startsWith('---') ? 'yaml' : text.startsWith('+++') ? 'toml' : undefined;
  if (!format) return undefined;
  const head = text.slice(0, MAX_FRONT_MATTER);
  const open = /^(?:---|\+\+\+)[ \t]*\r?\n/.exec(head);
  const close = format === 'yaml' ? /^(?:---|\.\.\.)[ \t]*$/m : /^\+\+\+[ \t]*$/m;
  if (!open) return undefined;
  const rest = head.slice(open[0].length).replaceAll('\r\n', '\n');
  const end = close.exec(rest);
  return end ? { format, body: rest.slice(0, end.index) } : undefined;
}

async function parserOf(format: 'yaml' | 'toml'): Promise<(body: string) => unknown> {
  return format === 'yaml' ? (await import('./yaml.ts')).parseYaml : (await import('smol-toml')).parse;
}

function tidy(value: unknown, depth: number): MetadataValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.slice(0, MAX_STRING).toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => tidy(item, depth + 1));
  const entries = Object.entries(value)
    .filter(([key]) => key !== '__proto__' && key.length <= 200)
    .slice(0, MAX_KEYS);
  return Object.fromEntries(entries.map(([key, item]) => [key, tidy(item, depth + 1)]));
}
