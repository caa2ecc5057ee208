// Doc comments of real source code as questions: their first sentence asks for the lines they describe.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Definition } from '../../src/domain/symbols.ts';
import { symbolsOf } from '../../src/sources/code/symbols.ts';

const IS_COMMENT = /^\s*(?:\/\/\/?!?|\/\*\*?|\*\/?|#)(?!\[)/;
const SENTENCE = /^(.{20,200}?[.!?])(?:\s|$)/s;

export interface Comment {
  query: string;
  path: string;
  lines: { start: number; end: number };
}

/** Copies a folder without its doc comments, which become questions. */
export async function takeComments(from: string, to: string): Promise<Comment[]> {
  const asked: Comment[] = [];
  for (const path of filesOf(from)) {
    const text = readFileSync(join(from, path), 'utf8');
    const lines = text.split('\n');
    const symbols = await symbolsOf(path, text);
    for (const definition of symbols?.definitions ?? []) {
      const query = firstSentence(lines, definition);
      if (query) asked.push({ query, path, lines: { start: definition.line, end: definition.lines.end } });
      blank(lines, definition);
    }
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), lines.join('\n'));
  }
  return asked;
}

function firstSentence(
  lines: readonly string[],
  { lines: range, line, kind, name }: Definition,
): string | undefined {
  if (kind === 'field' || kind === 'constant' || kind === 'prototype') return undefined;
  const comment = lines
    .slice(range.start - 1, line - 1)
    .filter((one) => IS_COMMENT.test(one))
    .map((one) =>
      one
        .replace(IS_COMMENT, '')
        .replace(/\*\/\s*$/, '')
        .trim(),
    )
    .join(' ')
    .replaceAll(/<[^>]{1,200}>|\{@\w+ ([^}]*)\}/g, '$1')
    .trim();
  const sentence = SENTENCE.exec(comment)?.[1];
  const words: string[] = sentence?.match(/[A-Za-z]{2,}/g) ?? [];
  // One that names what it describes, or a licence, asks for nothing.
  if (words.length < 6 || words.includes(name) || /copyright|licen[cs]e/i.test(comment)) return undefined;
  return sentence;
}

function blank(lines: string[], { lines: range, line }: Definition): void {
  for (let at = range.start - 1; at < line - 1; at += 1) if (IS_COMMENT.test(lines[at]!)) lines[at] = '';
}

export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
