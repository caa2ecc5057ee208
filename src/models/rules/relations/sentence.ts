// One sentence of a document: its names, what it says of them, and what a pronoun means after it.

import type { Token } from '../text/tokens.ts';
import { singularWord } from '../terms/keys.ts';
import type { Term } from '../terms/lexicon.ts';
import { findMentions, type Mention } from '../terms/mentions.ts';
import { ADVERB, BE, CONJUNCTION, HAVE, MODAL, PREPOSITION, RELATIVE } from '../words/closed.ts';
import { verbForm } from '../words/verbs.ts';
import { chunkSentence, type Chunk } from './chunks.ts';
import { readClauses } from './clauses.ts';
import { aroundOf, mention, sectionOf, textOf, type Shape, type State } from './statement.ts';

/** A longer one is a table or a list that was not told as such. */
const MAX_TOKENS = 150;

export function readSentence(
  state: State,
  tokens: readonly Token[],
  shape: Shape,
  implied: readonly Mention[] = [],
): void {
  const mentions = withShort(state, tokens, findMentions(tokens, state.lexicon));
  for (const one of mentions) mention(state, one, tokens[one.from]!.line);
  if (tokens.at(-1)?.text === '?' || tokens.length > MAX_TOKENS) return;
  const chunked = chunkSentence(tokens, mentions);
  const untold = implied.length === 0 && shape !== 'cell' && lacksSubject(chunked.chunks);
  const { found, topic } = readClauses(chunked, {
    topic: state.topic,
    implied: untold ? (state.topic.length > 0 ? state.topic : labelledBy(state)) : implied,
    section: sectionOf(state),
    around: aroundOf(state),
  });
  const [first] = topic;
  if ((found.length === 0 && !first) || isUnstated(tokens, implied)) return;
  const sentence = textOf(tokens);
  const place = {
    shape,
    line: tokens[0]!.line,
    endLine: tokens.at(-1)!.line,
    sentence,
    length: tokens.length,
  };
  for (const one of found) if (!one.condition) state.out.statements.push({ ...one, ...place });
  if (!first) return;
  state.topic = topic;
  if (topic.length === 1 && defines(chunked.chunks, first))
    state.out.definitions.push({ term: first.term, sentence, line: tokens[first.from]!.line });
}

function isUnstated(tokens: readonly Token[], implied: readonly Mention[]): boolean {
  const words = tokens.map(({ lower }) => lower).join(' ');
  return NOT_NOW.test(words) || (implied.length === 0 && ASKS.test(words));
}

/** What the reader is to see to. */
const ASKS = /^(?:make sure|ensure|verify|confirm|check|assume|suppose|imagine)\b/;

/** "In the future, X will …", "X was originally …": it is not so, or not any more. */
const NOT_NOW =
  /\b(?:in (?:the|a) (?:near )?future|originally|formerly|previously|historically|no longer|until (?:recently|last)|used to be)\b/;

const STATES = new Set(['by', 'in', 'on', 'with']);

/** "Owned by the X team.", "Runs on Y.": said of what the text is about. "Fixed a bug in X." is not. */
function lacksSubject([first, ...rest]: readonly Chunk[]): boolean {
  if (first?.kind !== 'vg' || first.plain || first.lemma === 'be' || first.modal !== undefined) return false;
  const [next] = rest;
  const states = first.passive && next?.kind === 'prep' && STATES.has(next.word);
  if (first.form === 'participle' ? !states : first.form !== 'finite' || first.past) return false;
  return !rest.some(({ kind }, at) => kind === 'np' && isFinite(rest[at + 1]));
}

/** What stands above a heading such as "Ownership"; one of several words may be a thing of its own. */
function labelledBy(state: State): readonly Mention[] {
  return state.headings.at(-1)?.text.includes(' ') ? [] : sectionOf(state);
}

function isFinite(chunk: Chunk | undefined): boolean {
  return chunk?.kind === 'vg' && chunk.form === 'finite';
}

/** "X is a …" at the beginning of a sentence. */
function defines([subject, verb, what]: readonly Chunk[], first: Mention): boolean {
  if (subject?.kind !== 'np' || subject.head !== first || what?.kind !== 'np') return false;
  const said = verb?.kind === 'vg' && verb.lemma === 'be' && !verb.passive && !verb.negated;
  return said && (what.determiner === 'a' || what.determiner === 'an' || what.determiner === 'the');
}

const POINTING = new Set('the this that these those its their'.split(' '));
const AFTER_NOUN = [PREPOSITION, CONJUNCTION, BE, MODAL, HAVE, RELATIVE, ADVERB, new Set(['to'])];
const RECENT = 8;

/** "the controller" after "the Workflow Controller": the last word of a name stands for the name. */
function withShort(state: State, tokens: readonly Token[], mentions: Mention[]): Mention[] {
  const found = [...mentions];
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.mark || token.code || !POINTING.has(tokens[at - 1]!.lower)) continue;
    if (mentions.some((one) => at >= one.from && at < one.to) || !endsPhrase(tokens[at + 1])) continue;
    const word = singularWord(token.lower);
    const [term, another] = new Set(state.recent.filter((one) => lastWord(one) === word));
    if (term && !another) found.push({ term, from: at, to: at + 1, text: token.text });
  }
  for (const { term } of mentions)
    state.recent = [term, ...state.recent.filter((one) => one !== term)].slice(0, RECENT);
  return found.length > mentions.length ? found.sort((a, b) => a.from - b.from) : mentions;
}

/** Where another noun follows, the phrase is about something else. */
function endsPhrase(next: Token | undefined): boolean {
  return (
    !next ||
    next.mark ||
    AFTER_NOUN.some((list) => list.has(next.lower)) ||
    verbForm(next.lower) !== undefined
  );
}

function lastWord({ name }: Term): string | undefined {
  const words = name.split(/[\s-]+/);
  return words.length > 1 ? singularWord(words.at(-1)!.toLowerCase()) : undefined;
}
