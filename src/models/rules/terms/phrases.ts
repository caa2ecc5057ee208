// Phrases of a sentence that may be names: set apart, written with capitals, acting or acted on, abbreviated.

import type { Token } from '../text/tokens.ts';
import { isRelation } from '../relations/meanings.ts';
import { tagSentence, type Tag, type Tagged } from '../words/tags.ts';
import { HEADS } from './generic.ts';
import { normalKey, splitWords } from './keys.ts';
import { addKind, addPhrase, type Survey } from './survey.ts';

export function readPhrases(survey: Survey, tokens: readonly Token[]): void {
  survey.words += tokens.length;
  const tagged = tagSentence(tokens);
  setApart(survey, tokens, tagged);
  capitals(survey, tokens, tagged);
  nouns(survey, tokens, tagged);
  abbreviations(survey, tokens);
}

type Tags = ReadonlySet<Tag | undefined>;
const SENTENCE: Tags = new Set(['verb', 'be', 'modal', 'prep', 'pron', 'neg'] as const);

/** Links, stressed words and code. */
function setApart(survey: Survey, tokens: readonly Token[], { tags }: Tagged): void {
  for (const kind of ['link', 'strong', 'em'] as const) {
    for (let at = 0; at < tokens.length; at++) {
      if (!tokens[at]![kind]) continue;
      let from = at;
      while (at < tokens.length && tokens[at]![kind]) at += 1;
      let to = at;
      while (from < to && (tags[from] === 'det' || tokens[from]!.mark)) from += 1;
      while (to > from && tokens[to - 1]!.mark) to -= 1;
      if (to > from && !tags.slice(from, to).some((tag) => SENTENCE.has(tag)))
        addPhrase(survey, tokens.slice(from, to), kind);
    }
  }
  tokens.forEach((token, at) => {
    if (!token.code) return;
    addPhrase(survey, [token], 'code');
    const beside = [tokens[at + 1], tokens[at - 1]];
    if (beside.some((word) => word && SETTINGS.test(word.lower))) addPhrase(survey, [token], 'setting');
  });
}

/** "the `x` flag", "field `x`": something that is set, and nothing that acts. */
const SETTINGS =
  /^(?:flag|option|field|parameter|param|label|annotation|setting|key|value|property|attribute|command|subcommand|argument|variable|prop|method|function|directive|file|directory|folder|header|tag|branch|column|hook|keyword|type|status|state|mode|phase|condition|error)s?$/;

/** `FooBar`, `HPA`, `kube-proxy`, `Foo DB` inside a sentence. */
function capitals(survey: Survey, tokens: readonly Token[], { tags }: Tagged): void {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    // The article a sentence begins with is no part of a name.
    if (token.mark || token.code || (token.first && tags[at] === 'det')) continue;
    const shape = shapeOf(token.text);
    if (shape === 'camel' || shape === 'acronym' || shape === 'hyphen') addPhrase(survey, [token], shape);
    if (shape === 'lower' || shape === 'hyphen' || shape === 'number') continue;
    let end = at + 1;
    while (end < tokens.length && isName(tokens[end]!) && !tokens[end - 1]!.owner) end += 1;
    const opens = token.first && shape === 'capital';
    // The first word of a sentence counts only with another capital behind it.
    const from = opens && tags[at] !== 'noun' ? at + 1 : at;
    const length = end - from;
    if (length > 1 || (length === 1 && !opens && shape === 'capital'))
      addPhrase(survey, tokens.slice(from, end), 'capital');
    // `OrderPlaced` event: an identifier keeps its name, the word behind it says what it is.
    if (shape === 'camel' && length === 1 && MESSAGES.test(tokens[end]?.lower ?? '')) {
      addKind(addPhrase(survey, [token], undefined), 'event');
      continue;
    }
    // A name and the small word that says what it is: "Foo server".
    const next = tokens[end];
    if (next && length > 0 && !next.code && HEADS.has(next.lower) && !tokens[end - 1]!.owner)
      addPhrase(survey, tokens.slice(from, end + 1), opens && length === 1 ? undefined : 'capital');
    at = end - 1;
  }
}

const MESSAGES = /^(?:event|message)s?$/;

function isName({ mark, code, text }: Token): boolean {
  return !mark && !code && (/^\p{Lu}/u.test(text) || /\p{Ll}\p{Lu}/u.test(text));
}

export function shapeOf(text: string): 'camel' | 'acronym' | 'capital' | 'hyphen' | 'number' | 'lower' {
  if (/^\d/.test(text)) return 'number';
  if (/^\p{Lu}[\p{Lu}\p{N}]{1,7}s?$/u.test(text)) return 'acronym';
  if (/\p{Ll}\p{Lu}|^\p{Lu}{2,}\p{Ll}/u.test(text)) return 'camel';
  if (/^\p{Lu}/u.test(text)) return 'capital';
  return /^\p{Ll}[\p{Ll}\p{N}]*(?:-[\p{Ll}\p{N}]+)+$/u.test(text) ? 'hyphen' : 'lower';
}

const BEFORE_SUBJECT: Tags = new Set(['det', 'mark', 'conj', 'sub', 'rel', undefined] as const);
const AFTER_SUBJECT: Tags = new Set(['verb', 'be', 'modal', 'have'] as const);
const BEFORE_OBJECT: Tags = new Set(['verb', 'prep', 'ing'] as const);
const BEFORE_ITS_DETERMINER: Tags = new Set(['verb', 'prep', 'ing', 'to'] as const);
const LONGEST = 3;

/** Noun phrases that act, are acted on, or are said to be something. */
function nouns(survey: Survey, tokens: readonly Token[], { tags, verbs }: Tagged): void {
  for (let at = 0; at < tokens.length; at++) {
    if (tags[at] !== 'noun' && tags[at] !== 'adj') continue;
    const before = tags[at - 1];
    const beforeThat = tags[at - 2];
    let from = at;
    while (
      at < tokens.length &&
      (tags[at] === 'noun' || tags[at] === 'adj') &&
      !(at > from && tokens[at - 1]!.owner)
    )
      at += 1;
    while (from < at && tags[from] === 'adj') from += 1;
    if (at === from || at - from > LONGEST || tags[at - 1] !== 'noun' || tokens[at - 1]!.owner) continue;
    const part = tokens.slice(from, at);
    let ahead = at;
    while (tags[ahead] === 'adv') ahead += 1;
    const next = tags[ahead];
    if (BEFORE_SUBJECT.has(before) && AFTER_SUBJECT.has(next)) addPhrase(survey, part, 'subject');
    if (BEFORE_OBJECT.has(before) || (before === 'det' && BEFORE_ITS_DETERMINER.has(beforeThat)))
      addPhrase(survey, part, 'object');
    const acts = next === 'verb' && BEFORE_SUBJECT.has(before) && relates(verbs[ahead]?.lemma);
    const does = tokens[from - (before === 'det' ? 2 : 1)];
    if (acts || (does?.lower === 'by' && tags.slice(Math.max(0, from - 5), from).includes('past')))
      addPhrase(survey, part, 'actor');
    if (isTarget({ tokens, tags, verbs }, before === 'det' ? from - 2 : from - 1))
      addPhrase(survey, part, 'target');
    const kind = next === 'be' ? saidToBe(tokens, tags, ahead) : undefined;
    if (kind !== undefined) addKind(addPhrase(survey, part, 'defined'), kind);
  }
}

const relates = (key: string | undefined): boolean => key !== undefined && isRelation(key);
const REACH = 5;

/** Whether a verb of relations leads to the noun behind a word: "calls X", "is stored in X". */
function isTarget({ tokens, tags, verbs }: Tagged & { tokens: readonly Token[] }, at: number): boolean {
  if (tags[at] === 'verb' || tags[at] === 'ing') return relates(verbs[at]?.lemma);
  if (tags[at] !== 'prep' && tags[at] !== 'to') return false;
  for (let back = at - 1; back >= 0 && back >= at - REACH; back--) {
    const tag = tags[back];
    if (tag === 'mark' || tag === 'prep') return false;
    if (tag === 'verb' || tag === 'past' || tag === 'ing')
      return relates(`${verbs[back]?.lemma ?? ''}+${tokens[at]!.lower}`);
  }
  return false;
}

/** "X is a … engine that …": the last noun before anything else says what X is. */
function saidToBe(tokens: readonly Token[], tags: readonly Tag[], from: number): string | undefined {
  let at = from;
  while (tags[at] === 'adv' || tags[at] === 'be') at += 1;
  if (tags[at] !== 'det') return undefined;
  const listed = () => tokens[at]?.text === ',' && tags[at + 1] === 'adj';
  while (tags[at] === 'det' || tags[at] === 'adj' || tags[at] === 'num' || listed()) at += 1;
  const start = at;
  while (tags[at] === 'noun') at += 1;
  return at === start ? undefined : tokens[at - 1]!.lower;
}

const INITIALS = /^\p{Lu}[\p{Lu}\p{N}]{1,7}s?$/u;

/** "Horizontal Pod Autoscaler (HPA)": letters in brackets that the words before them begin with. */
function abbreviations(survey: Survey, tokens: readonly Token[]): void {
  for (let at = 2; at + 1 < tokens.length; at++) {
    const token = tokens[at]!;
    if (tokens[at - 1]!.text !== '(' || tokens[at + 1]!.text !== ')' || !INITIALS.test(token.text)) continue;
    const words = spelledOut(tokens.slice(0, at - 1), token.text.replace(/s$/, '').toLowerCase());
    if (!words) continue;
    addPhrase(survey, words, 'abbreviated');
    addPhrase(survey, [token], 'abbreviated');
    survey.short.set(normalKey(token.text), normalKey(words.map((word) => word.text).join(' ')));
  }
}

/** The last words whose parts begin with the letters. */
function spelledOut(tokens: readonly Token[], letters: string): Token[] | undefined {
  const words: Token[] = [];
  for (let at = tokens.length - 1; at >= 0 && words.length < letters.length + 2 && !tokens[at]!.mark; at--) {
    words.unshift(tokens[at]!);
    const parts = words.flatMap((word) => splitWords(word.text));
    if (parts.map((part) => part[0]!.toLowerCase()).join('') === letters) return words;
  }
  return undefined;
}
