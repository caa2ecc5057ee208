// Cuts a typed query into tokens: words, phrases, brackets and operators. What cannot be balanced is reported, not thrown.

import type { QueryField } from '../../domain/query.ts';

export type QueryToken =
  | { kind: 'word'; text: string; prefix?: boolean; field?: QueryField }
  | { kind: 'phrase'; words: string[]; field?: QueryField }
  | { kind: 'open'; field?: QueryField }
  | { kind: 'close' | 'and' | 'or' | 'not' | 'plus' };

const FIELD = /^(title|heading):/i;
/** Of a command (nobody requires or excludes a single letter or `std=c11`), or a browser's own CSS property. */
const FLAG = /^[+-](?:[a-z](?![\p{L}\p{N}])|[\w-]+=|(?:webkit|moz|ms|khtml)-)/iu;
const QUOTES = /["“”„]/;
const OPERATORS = new Map([
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not'],
] as const);

/** Undefined when quotes or brackets do not match. */
export function tokenizeQuery(text: string): QueryToken[] | undefined {
  const tokens: QueryToken[] = [];
  // A bracket right after a word, as in `useState(x)`, groups nothing.
  const brackets: boolean[] = [];
  let field: QueryField | undefined;
  let at = 0;
  const push = (token: QueryToken): void => {
    tokens.push(token);
    field = undefined;
  };
  while (at < text.length) {
    const ch = text[at]!;
    if (QUOTES.test(ch)) {
      const quoted = text.slice(at + 1);
      const end = quoted.search(QUOTES);
      if (end === -1) return undefined;
      const words = quoted.slice(0, end).split(/\s+/).map(tidyWord).filter(Boolean);
      if (words.length > 0) push({ kind: 'phrase', words, field });
      at += end + 2;
    } else if (ch === '(') {
      const attached = at > 0 && /[\p{L}\p{N}\p{M}_)\]]/u.test(text[at - 1]!);
      brackets.push(!attached);
      if (!attached) push({ kind: 'open', field });
      at += 1;
    } else if (ch === ')') {
      const grouping = brackets.pop();
      if (grouping === undefined) return undefined;
      if (grouping) push({ kind: 'close' });
      at += 1;
    } else if (/\s/.test(ch)) {
      field = undefined;
      at += 1;
    } else if ((ch === '+' || ch === '-') && startsToken(text, at) && hasOperand(text, at)) {
      push({ kind: ch === '+' ? 'plus' : 'not' });
      at += 1;
    } else {
      const named: RegExpExecArray | null = startsToken(text, at) ? FIELD.exec(text.slice(at)) : null;
      if (named && !field && /[^\s)]/.test(text[at + named[0].length] ?? ' ')) {
        field = named[1]!.toLowerCase() as QueryField;
        at += named[0].length;
        continue;
      }
      const word = /^[^\s"“”„()]+/.exec(text.slice(at, at + 512))![0];
      at += word.length;
      pushWord(word, tokens, field);
      field = undefined;
    }
  }
  return brackets.length > 0 ? undefined : tokens;
}

function pushWord(word: string, tokens: QueryToken[], field: QueryField | undefined): void {
  const operator = field ? undefined : operatorOf(word);
  const text = tidyWord(word);
  const named = field ? null : FIELD.exec(text);
  if (operator) tokens.push({ kind: operator });
  else if (named)
    pushWord(word.slice(word.indexOf(text) + named[0].length), tokens, named[1]!.toLowerCase() as QueryField);
  else if (text !== '') {
    const prefix = text.length > 1 && /[\p{L}\p{N}\p{M}]\*$/u.test(word);
    // A word that is an operator but for its punctuation must not become one when it is printed.
    const shown = operatorOf(text) ?? text;
    tokens.push({ kind: 'word', text: shown, prefix, field });
  }
}

function operatorOf(word: string): 'and' | 'or' | 'not' | undefined {
  return (OPERATORS as ReadonlyMap<string, 'and' | 'or' | 'not'>).get(word);
}

/** From its first to its last letter or digit: the rest is nothing an index knows. */
export function tidyWord(word: string): string {
  return /[\p{L}\p{N}](?:.*[\p{L}\p{N}\p{M}])?/su.exec(word)?.[0] ?? '';
}

function startsToken(text: string, at: number): boolean {
  return at === 0 || /[\s("“”„+-]/.test(text[at - 1]!);
}

/** `-word`, `-"a phrase"` and `-(a b)` exclude; `--flag`, `-5`, `-r`, `-std=c11`, `-webkit-box` and a lone dash are text. */
function hasOperand(text: string, at: number): boolean {
  const here = text.slice(at, at + 20);
  return !FLAG.test(here) && /^(?:\+[\p{L}\p{N}("“”„]|-[\p{L}("“”„]|-\p{N}+\p{L})/u.test(here);
}
