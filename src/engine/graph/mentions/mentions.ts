// The mention keys of a chunk: proper names, identifiers, links and headings, untyped, for retrieval by relations.
// One pass and no dictionary beyond a list of sentence openers, because it runs on every chunk of every collection.
// The caller puts the document's title first in the heading path where the text has no heading of its own.

import { add, addHeadings, addIdentifier, addLabel, addTarget } from './keys.ts';
import { close, plainWord, startPass, toGap, word, type Pass } from './run.ts';
import {
  AMPERSAND,
  BACKTICK,
  BRACKET,
  codeName,
  codeSpanEnd,
  linkEnd,
  skipGap,
  skipPlain,
  tokenEnd,
  UNSURE,
  writtenSmall,
  type Step,
} from './scan.ts';
import { unitsOf } from '../../../domain/units.ts';

export { TOPIC } from './keys.ts';

const MAX_KEYS = 96;
const MAX_TEXT = 20_000;

const TOKEN =
  /`([^`\n]{1,80})`|\[([^\]\n]{1,120})\]\(([^()\s]{1,300})[^)\n]{0,200}\)|https?:\/\/[^\s)>\]]{1,300}|[\p{L}\p{N}_]+(?:['’.&/-][\p{L}\p{N}_]+)*|&/gu;
const IDENTIFIER = /[\p{Ll}\p{N}]\p{Lu}|\p{L}_\p{L}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{L}\.\p{L}{2}/u;
const UPPER = /^\p{Lu}/u;
const TILDE = 126;
const TAB = 9;
const SPACE = 32;

export function mentionKeys(text: string, headingPath: readonly string[] = []): string[] {
  const keys = new Set<string>();
  addHeadings(keys, headingPath);
  const source = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  const units = unitsOf(source);
  // Text inside code fences names identifiers only: a capital there is a keyword or a comment's start.
  for (const { code, from, to } of splitFences(source, units)) {
    const part = units.subarray(from, to);
    if (code) addCode(keys, source.slice(from, to), part);
    else addProse(keys, source.slice(from, to), part);
    if (keys.size >= MAX_KEYS) break;
  }
  return keys.size > MAX_KEYS ? [...keys].slice(0, MAX_KEYS) : [...keys];
}

function addProse(keys: Set<string>, text: string, units: Uint16Array): void {
  const pass = startPass(keys, text, units);
  const { length } = text;
  const step: Step = { at: 0, end: -1 };
  let end = 0;
  for (let at = 0; at < length && keys.size < MAX_KEYS;) {
    if (pass.count === 0) {
      // Most words are plain and small: they end nothing and name nothing, so they are only stepped over.
      step.at = at;
      skipPlain(units, length, step);
      if (step.end > end) {
        end = step.end;
        pass.opens = false;
      }
      at = step.at;
    } else at = skipGap(units, length, at);
    if (at >= length) break;
    let stop = tokenEnd(units, length, at);
    if (stop !== -1) {
      toGap(pass, end, at);
      pass.from = at;
      pass.to = stop;
      plainWord(pass);
    } else {
      stop = marked(pass, step, end, at);
      if (stop === UNSURE) {
        TOKEN.lastIndex = at;
        const match = TOKEN.exec(text);
        if (!match) break;
        toGap(pass, end, match.index);
        stop = match.index + match[0].length;
        pass.from = match.index;
        pass.to = stop;
        careful(pass, match);
      }
    }
    if (stop === -1) at += 1;
    else at = end = stop;
  }
  if (keys.size >= MAX_KEYS) return;
  close(pass);
  if (!pass.openers) return;
  // A lone capitalised word that opens a sentence is a name only if the chunk never writes it small.
  for (const opener of pass.openers) if (!writtenSmall(text, opener.toLowerCase())) add(keys, opener);
}

/** Code, a link or an ampersand: where it ends, -1 when its mark opens nothing. */
function marked(pass: Pass, step: Step, end: number, at: number): number {
  const { text, units, keys } = pass;
  const { length } = text;
  const mark = units[at];
  if (mark === AMPERSAND) {
    toGap(pass, end, at);
    pass.from = at;
    pass.to = at + 1;
    word(pass, false, false);
    return at + 1;
  }
  if (mark === BACKTICK) {
    const stop = codeSpanEnd(units, length, at);
    if (stop < 0) return stop;
    toGap(pass, end, at);
    close(pass);
    addIdentifier(keys, text.slice(at + 1, stop));
    pass.opens = false;
    return stop + 1;
  }
  if (mark !== BRACKET) return UNSURE;
  const stop = linkEnd(units, length, at, step);
  if (stop < 0) return stop;
  toGap(pass, end, at);
  close(pass);
  addLabel(keys, text.slice(at + 1, step.end), text.slice(step.end + 2, step.at));
  pass.opens = false;
  return stop;
}

/** A token as the pattern found it. */
function careful(pass: Pass, [token, code, label, target]: RegExpExecArray): void {
  if (code === undefined && label === undefined && !token.startsWith('http')) {
    word(pass, UPPER.test(token), IDENTIFIER.test(token));
    return;
  }
  close(pass);
  if (code !== undefined) addIdentifier(pass.keys, code);
  else if (label !== undefined) addLabel(pass.keys, label, target!);
  else addTarget(pass.keys, token);
  pass.opens = false;
}

function addCode(keys: Set<string>, text: string, units: Uint16Array): void {
  const step: Step = { at: 0, end: -1 };
  while (step.at < text.length && keys.size < MAX_KEYS) {
    codeName(units, text.length, step);
    if (step.end !== -1) add(keys, text.slice(step.end, step.at));
  }
}

interface Part {
  code: boolean;
  from: number;
  to: number;
}

function splitFences(text: string, units: Uint16Array): Part[] {
  const { length } = text;
  if (!text.includes('```') && !text.includes('~~~')) return [{ code: false, from: 0, to: length }];
  const parts: Part[] = [];
  let code = false;
  let from = 0;
  for (let at = 0; at < length;) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? length : next + 1;
    if (isFence(units, at, end)) {
      parts.push({ code, from, to: at });
      code = !code;
      from = end;
    }
    at = end;
  }
  parts.push({ code, from, to: length });
  return parts;
}

/** Three backticks or tildes, at most three columns in. */
function isFence(units: Uint16Array, from: number, to: number): boolean {
  let at = from;
  while (at < from + 3 && at < to && (units[at] === SPACE || units[at] === TAB)) at += 1;
  const mark = units[at];
  return (
    (mark === BACKTICK || mark === TILDE) && at + 2 < to && units[at + 1] === mark && units[at + 2] === mark
  );
}
