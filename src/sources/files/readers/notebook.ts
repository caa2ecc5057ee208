// Jupyter notebooks as Markdown: text cells as written, code cells and what they printed as fences. Images and other
// outputs that are not text are left out.

import { VaiError } from '../../../domain/errors.ts';
import { isObject } from '../../../domain/object.ts';
import { decodeText, shortName } from '../decode.ts';
import { readText, type Reader } from '../reader.ts';

/** A cell that prints for hours says what it is in its first lines. */
const MAX_OUTPUT = 4_000;

export const readNotebook: Reader = (name, bytes) => {
  const { text, notices } = decodeText(name, bytes);
  const notebook = parse(text);
  if (!isObject(notebook) || !Array.isArray(notebook['cells']))
    throw new VaiError('FILE_UNREADABLE', `${shortName(name)} is not a notebook of version 4.`);
  const language = languageOf(notebook['metadata']);
  const parts = notebook['cells'].flatMap((cell: unknown) =>
    isObject(cell) ? cellText(cell, language) : [],
  );
  return readText({ text: `${parts.join('\n\n')}\n`, syntax: 'markdown', notices });
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function languageOf(metadata: unknown): string {
  const info = isObject(metadata) ? metadata['language_info'] : undefined;
  const name = isObject(info) ? info['name'] : undefined;
  return typeof name === 'string' && /^[\w+#-]{1,30}$/.test(name) ? name : '';
}

function cellText(cell: Record<string, unknown>, language: string): string[] {
  const source = joined(cell['source']).trimEnd();
  if (cell['cell_type'] !== 'code') return source ? [source] : [];
  const outputs = Array.isArray(cell['outputs']) ? (cell['outputs'] as unknown[]) : [];
  const printed = outputs.map(outputText).join('\n').trim();
  return [
    ...(source ? [fenced(source, language)] : []),
    ...(printed ? [fenced(printed.slice(0, MAX_OUTPUT).toWellFormed(), 'text')] : []),
  ];
}

function outputText(output: unknown): string {
  if (!isObject(output)) return '';
  if (output['output_type'] === 'error') return `${joined(output['ename'])}: ${joined(output['evalue'])}`;
  const data = isObject(output['data']) ? output['data']['text/plain'] : output['text'];
  return joined(data).trimEnd();
}

/** The format writes a text as one string or as a list of lines. */
function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

/** A fence longer than any the code holds. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length).slice(0, 10_000));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
