// The formats of a command's answer: text for a person, JSON for a pipe, one JSON object per line, raw text without
// anything around it, and for search results a Markdown page to keep.

import type { Command } from 'commander';
import { oneOf, usage, type Frame } from './frame.ts';

const FORMATS = ['text', 'json', 'jsonl', 'raw', 'markdown'] as const;
type Format = (typeof FORMATS)[number];

export interface OutputOptions {
  format?: string;
  json?: boolean;
}

export function withFormat(command: Command, markdown = false): Command {
  const formats = markdown ? 'text, json, jsonl, raw or markdown' : 'text, json, jsonl or raw';
  return command
    .option('-f, --format <format>', `${formats} (default: text on a terminal, else json)`)
    .option('--json', 'same as --format json');
}

export function formatOf(frame: Frame, options: OutputOptions): Format {
  if (options.json) return 'json';
  const named = options.format ?? frame.env.BLZ_OUTPUT_FORMAT;
  if (!named) return frame.terminal.interactive ? 'text' : 'json';
  return oneOf(FORMATS, named, 'format');
}

export interface Shapes {
  json: unknown;
  /** One line each in `jsonl`; the whole answer when there are no items. */
  items?: readonly unknown[];
  text: () => string;
  /** Same as text where a command has no rawer form. */
  raw?: () => string;
  /** A page to keep; only search results have one. */
  markdown?: () => string;
}

export function show(frame: Frame, options: OutputOptions, shapes: Shapes): Format {
  const format = formatOf(frame, options);
  if (format === 'json') frame.printJson(shapes.json);
  else if (format === 'jsonl') {
    const lines = (shapes.items ?? [shapes.json]).map((item) => JSON.stringify(item));
    if (lines.length) frame.print(lines.join('\n'));
  } else if (format === 'markdown') {
    if (!shapes.markdown)
      throw usage('Only search results can be printed as Markdown.', 'Use --format text.');
    frame.print(shapes.markdown());
  } else {
    const text = format === 'raw' && shapes.raw ? shapes.raw() : shapes.text();
    if (text !== '') frame.print(text);
  }
  return format;
}
