// What a source text defines, for languages without a grammar: lines that begin with a word that defines and a name.
// A wrong guess costs a label, no text.

import type { Definition, DefinitionKind, Symbols } from '../../domain/symbols.ts';
import { commentStart } from './comments.ts';
import { extensionOf } from './languages.ts';

const KINDS: readonly (readonly [DefinitionKind, string])[] = [
  [
    'function',
    'function|func|fun|fn|def|defn|defun|defmacro|sub|proc|procedure|method|let rec|rpc|query|mutation|task',
  ],
  ['class', 'class|object|record|message|service|contract|component|actor|entity|input'],
  ['struct', 'struct|union|table|view|resource|data'],
  ['interface', 'interface|protocol|trait|typeclass|mixin'],
  ['enum', 'enum'],
  ['module', 'module|namespace|package|library|unit'],
  ['type', 'type|typedef|newtype|scalar'],
  ['macro', 'macro|template'],
];

const KIND_OF = new Map(KINDS.flatMap(([kind, words]) => words.split('|').map((word) => [word, kind])));
const MODIFIERS =
  'export|default|public|private|protected|internal|static|final|abstract|sealed|partial|async|inline|local|pub|open|override|virtual|shared|create|or|replace|temporary|extend';
const WORDS = KINDS.map(([, words]) => words).join('|');
const NAME = '["\'`\\[]?([\\p{L}_$][\\p{L}\\p{N}_$.:?!-]*)';
const LINE = new RegExp(
  `^[ \\t]{0,40}\\(?(?:(?:${MODIFIERS})[ \\t]+){0,6}(${WORDS})[ \\t]+(?:if not exists[ \\t]+)?(?:"[^"]{1,100}"[ \\t]+)?${NAME}`,
  'iu',
);
/** `name() {`, as shells write functions. */
const SHELL = /^([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*\(\)/u;
const MAX_LINE = 400;
const MAX_DEFINITIONS = 20_000;

export function patternSymbols(name: string, text: string): Symbols {
  const lines = text.split('\n');
  const definitions: Definition[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.length > MAX_LINE || definitions.length === MAX_DEFINITIONS) continue;
    const shell = SHELL.exec(line);
    const match = shell ? undefined : LINE.exec(line);
    const found = shell?.[1] ?? match?.[2];
    if (found === undefined) continue;
    const before = definitions.at(-1);
    const start = commentStart(lines, at + 1, (before?.line ?? 0) + 1);
    if (before) before.lines.end = Math.max(before.line, start - 1);
    const kind = match ? KIND_OF.get(match[1]!.toLowerCase())! : 'function';
    definitions.push({ name: found, kind, path: [], lines: { start, end: lines.length }, line: at + 1 });
  }
  return { language: extensionOf(name), definitions, references: [] };
}
