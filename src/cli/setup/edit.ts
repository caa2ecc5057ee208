// Edits of a client's configuration in place: comments, order and indentation stay as the person left them.

import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  type Edit,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { VaiError } from '../../domain/errors.ts';
import { valueAt } from '../../domain/object.ts';
import type { Client } from './clients.ts';
import { editYaml } from './edit-yaml.ts';

/** The new text of a file; `entry` undefined removes ours. Equal text means there is nothing to do. */
export function edit(client: Client, text: string, entry: unknown): string {
  if (client.format === 'toml') return editToml(client, text, entry);
  if (client.format === 'yaml') {
    const edited = editYaml(client.path, text, entry);
    if (edited === undefined) throw broken(client, 'cannot be edited as YAML');
    return edited;
  }
  const edited = editJson(client, text, entry);
  return client.asks ? editInputs(client, edited, entry) : edited;
}

/** Inputs that the entry refers to are declared beside it and removed with it. */
function editInputs(client: Client, text: string, entry: unknown): string {
  const item = client.asks!;
  const needed = JSON.stringify(entry ?? '').includes(`\${input:${item.id}}`);
  const root = parse(text, [], { allowTrailingComma: true }) as { inputs?: { id?: unknown }[] } | undefined;
  const list = Array.isArray(root?.inputs) ? root.inputs : [];
  const at = list.findIndex((one) => one?.id === item.id);
  if (needed === (at !== -1)) return text;
  const whole = { ...client, path: ['inputs'] };
  if (needed && list.length === 0) return editJson(whole, text, [item]);
  if (needed)
    return applyEdits(text, modify(text, ['inputs', list.length], item, { isArrayInsertion: true }));
  if (list.length === 1) return editJson(whole, text, undefined);
  return applyEdits(text, modify(text, ['inputs', at], undefined, {}));
}

function editJson(client: Client, text: string, entry: unknown): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  if (errors.length > 0 || root?.type !== 'object') throw broken(client, 'is not valid JSON');
  if (entry === undefined && !findNodeAtLocation(root, client.path)) return text;
  const held = valueAt(parse(source, [], { allowTrailingComma: true }), client.path);
  if (JSON.stringify(held) === JSON.stringify(entry)) return text;
  const edits = modify(source, client.path, entry, {});
  return applyEdits(
    source,
    entry === undefined ? edits : edits.map((one) => spaced(one, root, { source, client, entry })),
  );
}

interface Insertion {
  source: string;
  client: Client;
  entry: unknown;
}

/** The library inserts without spaces, or reformats the neighbours too: only our own lines get the file's indentation. */
function spaced(one: Edit, root: Node, { source, client, entry }: Insertion): Edit {
  const unit = indentOf(source);
  const eol = source.includes('\r\n') ? '\r\n' : '\n';
  const pretty = (value: unknown, depth: number) =>
    JSON.stringify(value, null, unit)
      .split('\n')
      .join(eol + unit.repeat(depth));
  const depth = client.path.findIndex((_, at) => !findNodeAtLocation(root, client.path.slice(0, at + 1)));
  if (depth === -1) return { ...one, content: pretty(entry, client.path.length) };
  const holder = depth === 0 ? root : findNodeAtLocation(root, client.path.slice(0, depth))!;
  const value = client.path.slice(depth + 1).reduceRight((inner: unknown, key) => ({ [key]: inner }), entry);
  const line = `${eol}${unit.repeat(depth + 1)}${JSON.stringify(client.path[depth])}: ${pretty(value, depth + 1)}`;
  if (holder.children?.length) return { ...one, content: `,${line}` };
  return { offset: holder.offset, length: holder.length, content: `{${line}${eol}${unit.repeat(depth)}}` };
}

function indentOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
}

/** TOML: our table is a block of lines of its own; everything else is left untouched. */
function editToml(client: Client, text: string, entry: unknown): string {
  const header = `[${client.path.join('.')}]`;
  const lines = text.split('\n');
  const start = lines.findIndex((line) => bare(line) === header);
  const before = start === -1 ? lines : lines.slice(0, start);
  const after = start === -1 ? [] : lines.slice(endOfTable(lines, start, client.path.join('.')));
  const base = [before, after]
    .map((part) => withoutBlankEnds(part).join('\n'))
    .filter(Boolean)
    .join('\n\n');
  if (entry === undefined) return start === -1 ? text : base === '' ? '' : `${base}\n`;
  const block = [header, ...tomlLines(entry as Record<string, unknown>)].join('\n');
  const next = `${base === '' ? '' : `${base}\n\n`}${block}\n`;
  return next.trim() === text.trim() ? text : next;
}

/** A table's name may be written in quotes. */
function bare(header: string): string {
  return header.trim().replaceAll(/["']/g, '');
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const filled = (line: string): boolean => line.trim() !== '';
  return lines.slice(Math.max(0, lines.findIndex(filled)), lines.findLastIndex(filled) + 1);
}

/** Up to the next table that is not one of ours (`[mcp_servers.vai.env]` is). */
function endOfTable(lines: readonly string[], start: number, name: string): number {
  const next = lines.findIndex(
    (line, at) => at > start && /^\s*\[/.test(line) && !bare(line).startsWith(`[${name}.`),
  );
  return next === -1 ? lines.length : next;
}

function tomlLines(entry: Record<string, unknown>): string[] {
  return Object.entries(entry).map(([key, value]) => {
    if (value && typeof value === 'object' && !Array.isArray(value)) {
      const inner = Object.entries(value).map(([name, text]) => `${name} = ${JSON.stringify(text)}`);
      return `${key} = { ${inner.join(', ')} }`;
    }
    return `${key} = ${JSON.stringify(value)}`;
  });
}

function broken(client: Client, problem: string): VaiError {
  return new VaiError(
    'CONFIG_INVALID',
    `The configuration of ${client.title} ${problem}; it was not changed.`,
    { hint: `Fix the file first, or add the entry by hand: vai setup --print ${client.id}` },
  );
}
