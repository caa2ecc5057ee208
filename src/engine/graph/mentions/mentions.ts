// The mention keys of a chunk: proper names, identifiers, links and headings, untyped, for retrieval by relations.
// No dictionary beyond a list of sentence openers, because it runs on every chunk of every collection.
// The caller puts the document's title first in the heading path where the text has no heading of its own.

import { add, addHeadings, addIdentifier, addLabel, addTarget } from './keys.ts';
import { Run } from './run.ts';

export { TOPIC } from './keys.ts';

const MAX_KEYS = 96;
const MAX_TEXT = 20_000;

const FENCE = /^[ \t]{0,3}(?:`{3}|~{3})[^\n]*\n?/m;
const TOKEN =
  /`([^`\n]{1,80})`|\[([^\]\n]{1,120})\]\(([^()\s]{1,300})[^)\n]{0,200}\)|https?:\/\/[^\s)>\]]{1,300}|[\p{L}\p{N}_]+(?:['’.&/-][\p{L}\p{N}_]+)*|&/gu;
/** Most words are plain and small: they end nothing and name nothing. */
const SMALL_WORDS = /(?:,? (?!http)[a-z]+(?=[\s,;:)]))+/y;
const CODE_WORD = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]{0,63}/g;
const CODE_NAME = /[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z\u0080-\uffff]_[A-Za-z\u0080-\uffff]/;

export function mentionKeys(text: string, headingPath: readonly string[] = []): string[] {
  const keys = new Set<string>();
  addHeadings(keys, headingPath);
  // Text inside code fences names identifiers only: a capital there is a keyword or a comment's start.
  for (const [at, part] of text.slice(0, MAX_TEXT).split(FENCE).entries()) {
    if (keys.size >= MAX_KEYS) break;
    if (at % 2 === 1) addCode(keys, part);
    else addProse(keys, part);
  }
  return [...keys].slice(0, MAX_KEYS);
}

function addProse(keys: Set<string>, text: string): void {
  const run = new Run(keys);
  let end = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    if (keys.size >= MAX_KEYS) return;
    const [token, code, label, target] = match;
    run.gap(text.slice(end, match.index));
    end = match.index + token.length;
    if (code !== undefined || label !== undefined || token.startsWith('http')) {
      run.close();
      if (code !== undefined) addIdentifier(keys, code);
      else if (label !== undefined) addLabel(keys, label, target!);
      else addTarget(keys, token);
    } else run.word(token);
    SMALL_WORDS.lastIndex = end;
    if (run.isEmpty && SMALL_WORDS.test(text)) {
      run.close();
      TOKEN.lastIndex = SMALL_WORDS.lastIndex;
    }
  }
  run.close();
  // A lone capitalised word that opens a sentence is a name only if the chunk never writes it small.
  for (const opener of run.openers) if (!writtenSmall(text, opener.toLowerCase())) add(keys, opener);
}

/** camelCase, PascalCase or snake_case of four letters or more. */
function addCode(keys: Set<string>, text: string): void {
  for (const [word] of text.matchAll(CODE_WORD)) {
    if (keys.size >= MAX_KEYS) return;
    if (word.length > 3 && CODE_NAME.test(word)) add(keys, word);
  }
}

const JOINED_BEFORE = /[\p{L}\p{N}_]['’.&/-]?$/u;
const JOINED_AFTER = /^['’.&/-]?[\p{L}\p{N}_]/u;

/** Whether the text has this small word as a token of its own. */
function writtenSmall(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const before = JOINED_BEFORE.test(text.slice(Math.max(0, at - 2), at));
    if (!before && !JOINED_AFTER.test(text.slice(end, end + 2))) return true;
  }
  return false;
}
