// YAML (`---`) or TOML (`+++`) before a Markdown text, as metadata. Bounded in size, depth, keys and aliases; what
// cannot be parsed is noted and left alone, because the text is still worth reading.

import type { Metadata, MetadataValue } from '../../domain/document.ts';

const MAX_FRONT_MATTER = 64_000;
const MAX_KEYS = 64;
const MAX_ITEMS = 100;
const MAX_DEPTH = 4;
const MAX_STRING = 2000;

export async function parseFrontMatter(text: string, notices: string[]): Promise<Metadata | undefined> {
  const found = findFrontMatter(text);
  if (!found) return undefined;
  const simple = found.format === 'yaml' ? parseSimple(found.body) : undefined;
  if (simple) return simple;
  try {
    const value = found.format === 'yaml' ? await parseYaml(found.body) : await parseToml(found.body);
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return tidy(value, 0) as Metadata;
  } catch {
    notices.push('The front matter could not be parsed and was left out of the metadata.');
  }
  return undefined;
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

const KEY = /^([A-Za-z][\w-]{0,60}):(?: +(.{1,300}))?$/;
const ITEM = /^ {0,4}- +(.{1,300})$/;
const PLAIN = /^[A-Za-z][\w /().,;'+&?!-]*$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,14})$/;
const QUOTED = /^"([^"\\]*)"$|^'([^']*)'$/;

/**
 * The usual front matter: one `key: words` a line, or a list of words under a key. Read without a YAML parser, which
 * would take longer than cutting the rest of the page; anything that YAML might read differently goes to the parser.
 */
export function parseSimple(body: string): Metadata | undefined {
  const metadata: Metadata = {};
  let list: MetadataValue[] | undefined;
  let keys = 0;
  for (const line of body.split('\n')) {
    if (line === '') continue;
    const item = list && ITEM.exec(line);
    if (item) {
      const value = scalarOf(item[1]!.trimEnd());
      if (value === undefined || list!.length >= MAX_ITEMS) return undefined;
      list!.push(value);
      continue;
    }
    const match = KEY.exec(line);
    if (!match || keys >= MAX_KEYS || Object.hasOwn(metadata, match[1]!)) return undefined;
    if (list?.length === 0) return undefined;
    keys += 1;
    list = match[2] === undefined ? [] : undefined;
    const value = list ?? scalarOf(match[2]!.trimEnd());
    if (value === undefined) return undefined;
    metadata[match[1]!] = value;
  }
  return list?.length === 0 ? undefined : metadata;
}

/** Undefined when only a parser can tell. */
function scalarOf(word: string): MetadataValue | undefined {
  if (NUMBER.test(word)) return Number(word);
  const quoted = QUOTED.exec(word);
  if (quoted) return quoted[1] ?? quoted[2]!;
  if (!PLAIN.test(word)) return undefined;
  if (/^(?:true|True|TRUE)$/.test(word)) return true;
  if (/^(?:false|False|FALSE)$/.test(word)) return false;
  return /^(?:null|Null|NULL)$/.test(word) ? null : word;
}

async function parseYaml(body: string): Promise<unknown> {
  const { parse } = await import('yaml');
  return parse(body, { maxAliasCount: 20, prettyErrors: false, logLevel: 'error', uniqueKeys: false });
}

async function parseToml(body: string): Promise<unknown> {
  const { parse } = await import('smol-toml');
  return parse(body);
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
