// Which language a file is written in, by its name and where that leaves it open by its text.

import { CODE_EXTENSIONS, CODE_PAGES } from '../../domain/symbols.ts';
import type { Grammar } from './queries.ts';

export interface Source {
  language: string;
  grammar: Grammar;
  /** What the parser reads: as long as the text, line for line. */
  code: string;
}

const NAMES: Partial<Record<Grammar, string>> = { c_sharp: 'csharp', tsx: 'typescript' };

const GRAMMARS = new Map(
  Object.entries(CODE_EXTENSIONS satisfies Record<Grammar, string>).flatMap(([grammar, extensions]) =>
    extensions.split(' ').map((extension) => [extension, grammar as Grammar]),
  ),
);

/** What a C header does not say. */
const CPP = /^[ \t]*(?:class|namespace|template|using|public:|private:|protected:)\b/m;

/** Of an interface with one method: the grammar of Kotlin takes it for a function and loses what is inside. */
const FUN_INTERFACE = /\bfun(?=[ \t]+interface\b)/g;

export function grammarOf(name: string, text: string): Source | undefined {
  const extension = extensionOf(name);
  if (CODE_PAGES.has(extension)) return { language: extension, grammar: 'typescript', code: scriptOf(text) };
  const grammar = extension === 'h' ? (CPP.test(text) ? 'cpp' : 'c') : GRAMMARS.get(extension);
  const code = grammar === 'kotlin' ? text.replaceAll(FUN_INTERFACE, '   ') : text;
  return grammar && { language: NAMES[grammar] ?? grammar, grammar, code };
}

export function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** The scripts of a page where they stand, and the code between the dashes it begins with; everything else is blank. */
function scriptOf(text: string): string {
  let code = '';
  let at = 0;
  const keep = (start: number, end: number): void => {
    code += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  };
  const dashes = text.startsWith('---') ? text.indexOf('\n---', 3) : -1;
  if (dashes !== -1) keep(3, dashes);
  for (;;) {
    const tag = text.indexOf('<script', at);
    const start = tag === -1 ? -1 : text.indexOf('>', tag) + 1;
    if (start <= 0) break;
    const end = text.indexOf('</script', start);
    keep(start, end === -1 ? text.length : end);
  }
  return code + blank(text.slice(at));
}

function blank(text: string): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(line.length))
    .join('\n');
}
