// The mention keys of a chunk: proper names, identifiers, links and headings, untyped, for retrieval by relations.
// One pass and no dictionary beyond a list of sentence openers, because it runs on every chunk of every collection.
// The caller puts the document's title first in the heading path where the text has no heading of its own.

import { graphKey } from '../graph/names.ts';
import type { Span } from './chunk/cut.ts';
import { createLately } from './lately.ts';
import {
  AMPERSAND,
  BACKTICK,
  BRACKET,
  codeName,
  codeSpanEnd,
  endsSentence,
  isIdentifier,
  isUpper,
  linkEnd,
  skipGap,
  skipPlain,
  tokenEnd,
  UNSURE,
  writtenSmall,
  type Step,
} from './mention-scan.ts';
import { detached, unitsOf } from './units.ts';

/** Keys with this mark say what a chunk is about (its own heading), not what it mentions. */
export const TOPIC = '#';

const MAX_KEYS = 96;
const MAX_TEXT = 20_000;
const MAX_RUN = 8;
const MAX_KEY = 80;
/** Longest connector or number inside a name. */
const MAX_INSIDE = 4;

/** Words that begin a sentence in capitals without being names. */
const OPENERS = new Set(
  `a about above according across additionally after afterwards again all almost along alongside already also although always among an and another any are around as at avoid based be because been before being below between beyond both but by can cannot check choose click consider create currently define depending despite did do does doing done down due during each either else enable ensure especially even eventually every everything except finally find firstly follow following for from further furthermore generally get give given go had has have having he hence her here herself him himself his how however i if in include including indeed initially inside install instead into is it its itself just keep lastly later let like likewise look make many may maybe me meanwhile might mine more moreover most much must my near nearly need neither never nevertheless no none nonetheless nor not note nothing now of off often on once only or originally other others otherwise our ours out outside over overall per perhaps please previously prior provide quite rather read recently remember remove replace run save secondly see select set several shall she should similarly simply since so some someone something sometimes soon specify start still such suppose take than thank thanks that the their theirs them then there thereafter therefore these they this those though through throughout thus till to today together too toward towards under unless unlike until up update upon use used using usually verify very via want was we well were what whatever when whenever where whereas wherever whether which while who whoever whom whose why will with within without would write yes yet you your yours`.split(
    /\s+/,
  ),
);

/** Small words that may stand inside a name: University of the Arts, Vincent van Gogh. */
const INSIDE = new Set('of the de la le du des del di da van von der den al el bin ibn &'.split(' '));

const TOKEN =
  /`([^`\n]{1,80})`|\[([^\]\n]{1,120})\]\(([^()\s]{1,300})[^)\n]{0,200}\)|https?:\/\/[^\s)>\]]{1,300}|[\p{L}\p{N}_]+(?:['’.&/-][\p{L}\p{N}_]+)*|&/gu;
const IDENTIFIER = /[\p{Ll}\p{N}]\p{Lu}|\p{L}_\p{L}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{L}\.\p{L}{2}/u;
const UPPER = /^\p{Lu}/u;
const DIGITS = /^\p{N}+$/u;
const POSSESSIVE = /['’]s?$/;
const TILDE = 126;
const TAB = 9;
const SPACE = 32;
const LINE_END = 10;
const FULL_STOP = 46;

/** Where one pass over prose stands. */
interface Pass {
  text: string;
  units: Uint16Array;
  keys: Set<string>;
  /** The capitalised words read just now, with connectors between them. */
  run: string[];
  /** Whether the first of them is written as an identifier. */
  telling: boolean;
  /** How many connectors end the run; they are given back when it closes. */
  loose: number;
  /** Whether the run, or the next word, opens a sentence. */
  opens: boolean;
  /** Lone capitalised words that opened a sentence. */
  openers: Set<string> | undefined;
}

export function mentionKeys(text: string, headingPath: readonly string[] = []): string[] {
  const keys = new Set<string>();
  headingPath.forEach((heading, index) => addHeading(keys, heading, index === headingPath.length - 1));
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

/** The keys of a heading; every chunk below it has them. */
const headings = new Map<string, string[]>();
const MAX_HEADINGS = 2_000;

function addHeading(keys: Set<string>, heading: string, own: boolean): void {
  let found = headings.get(heading);
  if (!found) {
    found = headingKeys(heading);
    if (headings.size >= MAX_HEADINGS) headings.clear();
    headings.set(detached(heading), found);
  }
  for (const key of found) {
    keys.add(key);
    if (own) keys.add(TOPIC + key);
  }
}

function headingKeys(heading: string): string[] {
  const plain = heading.replaceAll(/[`*]/g, '').replace(/^\d+(?:\.\d+)*[.)]?\s+/, '');
  const bare = plain.replace(/\s*\([^()]*\)\s*$/, '');
  return (plain === bare ? [plain] : [plain, bare])
    .map((form) => graphKey(form.replaceAll(/[^\p{L}\p{N}\s._&/'’-]|\.(?=\s|$)/gu, '')))
    .filter((key) => key.length >= 2 && key.length <= MAX_KEY);
}

function addProse(keys: Set<string>, text: string, units: Uint16Array): void {
  const pass: Pass = {
    text,
    units,
    keys,
    run: [],
    telling: false,
    loose: 0,
    opens: true,
    openers: undefined,
  };
  const { length } = text;
  const step: Step = { at: 0, end: -1 };
  let end = 0;
  for (let at = 0; at < length && keys.size < MAX_KEYS;) {
    if (pass.run.length === 0) {
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
      plainWord(pass, at, stop);
    } else {
      stop = marked(pass, step, end, at);
      if (stop === UNSURE) {
        TOKEN.lastIndex = at;
        const match = TOKEN.exec(text);
        if (!match) break;
        toGap(pass, end, match.index);
        careful(pass, match);
        stop = match.index + match[0].length;
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
    word(pass, '&', false, false);
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
    word(pass, token, UPPER.test(token), IDENTIFIER.test(token));
    return;
  }
  close(pass);
  if (code !== undefined) addIdentifier(pass.keys, code);
  else if (label !== undefined) addLabel(pass.keys, label, target!);
  else addTarget(pass.keys, token);
  pass.opens = false;
}

/** What lies between two tokens may end the run, and the sentence. */
function toGap(pass: Pass, from: number, to: number): void {
  if (pass.run.length > 0 && !joins(pass, from, to)) close(pass);
  if (pass.run.length === 0 && !pass.opens && endsSentence(pass.units, from, to)) pass.opens = true;
}

/** Whether a run goes on over this gap: one space or line end, or the full stop after an initial. */
function joins({ units, run }: Pass, from: number, to: number): boolean {
  if (to === from + 1) return units[from] === SPACE || units[from] === LINE_END;
  const initial = to === from + 2 && units[from] === FULL_STOP && units[from + 1] === SPACE;
  return initial && run.at(-1)!.length === 1;
}

/** A word of ASCII: most need not be cut out of the text to see that they name nothing. */
function plainWord(pass: Pass, from: number, to: number): void {
  const { text, units } = pass;
  const upper = isUpper(units[from]!);
  const telling = isIdentifier(units, from, to);
  if (upper || (pass.run.length > 0 && to - from <= MAX_INSIDE)) {
    word(pass, text.slice(from, to), upper, telling);
    return;
  }
  close(pass);
  pass.opens = false;
  if (telling && to - from > 3) addAt(pass.keys, text, units, { start: from, end: to });
}

/** Extends, starts or ends the run of capitalised words with one more word, which may be written as an identifier. */
function word(pass: Pass, token: string, upper: boolean, telling: boolean): void {
  if (pass.run.length === 1 && pass.opens && OPENERS.has(pass.run[0]!.toLowerCase())) close(pass);
  const inRun = pass.run.length > 0;
  if (upper || (inRun && token.length <= MAX_INSIDE && DIGITS.test(token))) {
    if (pass.run.length >= MAX_RUN) close(pass);
    const owns = token.includes("'") || token.includes('’');
    if (!owns && telling) add(pass.keys, token);
    if (pass.run.length === 0) pass.telling = telling;
    pass.run.push(token);
    pass.loose = 0;
    if (owns && POSSESSIVE.test(token)) close(pass);
    return;
  }
  if (inRun && pass.loose < 2 && INSIDE.has(token)) {
    pass.run.push(token);
    pass.loose += 1;
    return;
  }
  close(pass);
  pass.opens = false;
  if (telling && token.length > 3) add(pass.keys, token);
}

function close(pass: Pass): void {
  const { run, opens } = pass;
  if (run.length === 0) return;
  const end = run.length - pass.loose;
  let from = 0;
  while (from < end && OPENERS.has(run[from]!.toLowerCase())) from += 1;
  pass.run = [];
  pass.loose = 0;
  pass.opens = false;
  if (from >= end) return;
  if (end - from > 1) {
    add(pass.keys, run.slice(from, end).join(' '));
    return;
  }
  const lone = run[from]!;
  if (lone.length < 2) return;
  if (opens && from === 0 && !pass.telling && lone !== lone.toUpperCase())
    (pass.openers ??= new Set()).add(lone);
  else add(pass.keys, lone);
}

function addCode(keys: Set<string>, text: string, units: Uint16Array): void {
  const step: Step = { at: 0, end: -1 };
  while (step.at < text.length && keys.size < MAX_KEYS) {
    codeName(units, text.length, step);
    if (step.end !== -1) addAt(keys, text, units, { start: step.end, end: step.at });
  }
}

function addIdentifier(keys: Set<string>, code: string): void {
  const name = code
    .replace(/\(.*$/, '')
    .replace(/^[-.$@]+/, '')
    .trim();
  if (name.length > 1 && /\p{L}/u.test(name) && name.split(/\s+/).length <= 3) add(keys, name);
}

function addLabel(keys: Set<string>, label: string, target: string): void {
  const plain = label.replaceAll(/[`*]/g, '').trim();
  if (/\p{L}/u.test(plain) && plain.split(/\s+/).length <= 6) add(keys, plain);
  addTarget(keys, target);
}

/** A link names its page by the last part of its path, and the place in it by the anchor. */
function addTarget(keys: Set<string>, target: string): void {
  const [address = '', anchor = ''] = target.split('#');
  const path = address
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/\?.*$/, '')
    .replace(/\/+$/, '');
  const last = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z0-9]{1,5}$/i, '');
  for (const part of [last, anchor]) {
    if (
      part.length < 3 ||
      part.length > MAX_KEY ||
      !/^[\p{L}\p{N}._-]+$/u.test(part) ||
      /^index$/i.test(part)
    )
      continue;
    add(keys, part);
  }
}

/** Names repeat all over a collection: their keys are worth remembering for a while. */
const known = new Map<string, string>();
const lately = createLately<string>();
const MAX_KNOWN = 40_000;

function add(keys: Set<string>, name: string): void {
  addKey(keys, keyOf(name));
}

/** A name where it stands in the text. */
function addAt(keys: Set<string>, text: string, units: Uint16Array, { start, end }: Span): void {
  let key = lately.get(units, start, end);
  if (key === undefined) {
    key = keyOf(text.slice(start, end));
    lately.put(key);
  }
  addKey(keys, key);
}

function addKey(keys: Set<string>, key: string): void {
  if (key.length > 1 && key.length <= MAX_KEY) keys.add(key);
}

function keyOf(name: string): string {
  let key = known.get(name);
  if (key === undefined) {
    key = graphKey(name);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(detached(name), key);
  }
  return key;
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
