// Lists and the sentences that announce them: "X consists of:" and its items, items about the name they begin with, and
// items that go on with the sentence above.

import { arrowLine } from '../diagrams/arrows.ts';
import type { TextBlock } from '../text/blocks.ts';
import { inlineOf } from '../text/inline.ts';
import { sentencesOf, type Token } from '../text/tokens.ts';
import { headOfItem } from '../terms/candidates.ts';
import { findMentions, type Mention } from '../terms/mentions.ts';
import { verbForm } from '../words/verbs.ts';
import { chunkSentence, type Chunk, type NounPhrase, type VerbGroup } from './chunks.ts';
import { type Actor } from './clause.ts';
import { readClauses } from './clauses.ts';
import { keyLine, labelMeaning } from './labels.ts';
import { isIdea, isListed, isPart } from './listed.ts';
import type { Meaning } from './meanings.ts';
import { readSentence } from './sentence.ts';
import {
  headingTopic,
  mention,
  sectionOf,
  sideBySide,
  textOf,
  tokensOf,
  verbOf,
  wholeMention,
  type State,
} from './statement.ts';

/** What a sentence that ends with a colon leaves open for the list below it. */
interface Lead {
  subjects: Actor[];
  verb: VerbGroup | undefined;
  noun: string | undefined;
  preposition: string | undefined;
  tokens: readonly Token[];
  /** The noun for what is listed: "components", "backends". */
  listed: string | undefined;
  /** What the list belongs to: "… for X are:". */
  about: Mention | undefined;
  /** "Some X components …:", whatever is said of them. */
  parts: boolean;
  /** What is listed is the subject of the announcement. */
  following: boolean;
  /** The sentence ends with what is listed, or where it would stand. */
  open: boolean;
}

interface Item {
  indent: number;
  head: Mention | undefined;
  lead: Lead | undefined;
}

/** Lists under way in a section. */
export interface Lists {
  /** Announced by the paragraph before. */
  lead: Lead | undefined;
  /** The item a text belongs to, and those around it. */
  items: Item[];
}

export const noLists = (): Lists => ({ lead: undefined, items: [] });

function belongsTo(lists: Lists, indent: number): Item | undefined {
  while (lists.items.length > 0 && indent <= lists.items.at(-1)!.indent) lists.items.pop();
  return lists.items.at(-1);
}

export function readParagraph(state: State, lists: Lists, block: TextBlock): void {
  const owner = belongsTo(lists, block.indent);
  if (readLine(state, block)) return;
  const sentences = sentencesOf(inlineOf(block.text, state.syntax), block.line);
  if (owner?.head) state.topic = [owner.head];
  else if (state.topic.length === 0) state.topic = headingTopic(state);
  for (const tokens of sentences) readSentence(state, tokens, owner ? 'item' : 'sentence');
  const lead = leadOf(state, sentences.at(-1));
  if (owner) owner.lead = lead;
  else lists.lead = lead;
}

export function readItem(state: State, lists: Lists, block: TextBlock): void {
  const parent = belongsTo(lists, block.indent);
  if (readLine(state, block)) return;
  const lead = parent ? parent.lead : lists.lead;
  const sentences = sentencesOf(inlineOf(block.text, state.syntax), block.line);
  const [first] = sentences;
  const defined = block.term === undefined ? undefined : tokensOf(state, block.term, block.line);
  const head = defined ? wholeMention(state, defined) : first && itemHead(state, first);
  if (head && defined) mention(state, head, block.line);
  const named = head ? [head] : first ? leading(state, first) : [];
  for (const name of named) announce(state, { lists, lead, name, line: block.line });
  const implied = head
    ? [head]
    : lead
      ? lead.subjects.filter((actor) => actor.head).map((actor) => actor.mention)
      : parent?.head
        ? [parent.head]
        : [];
  state.topic = implied.length > 0 ? implied : headingTopic(state);
  const asked =
    !head &&
    first !== undefined &&
    tellsReader(first, block.ordered === true && !lead?.subjects.some(isPlainSubject));
  sentences.forEach((tokens, at) => {
    readSentence(state, tokens, 'item', at === 0 && !asked ? implied : []);
  });
  lists.items.push({ indent: block.indent, head, lead: leadOf(state, sentences.at(-1)) });
}

function leadOf(state: State, tokens: readonly Token[] | undefined): Lead | undefined {
  const mark = tokens?.at(-1)?.text;
  if (!tokens || tokens.length < 2 || (mark !== ':' && mark !== '.')) return undefined;
  const body = tokens.slice(0, -1);
  // "X has the following components." announces its list without a colon.
  if (mark === '.' && !body.some(({ lower }) => lower === 'following' || lower === 'below')) return undefined;
  const chunked = chunkSentence(body, findMentions(body, state.lexicon));
  const { open } = readClauses(chunked, {
    topic: state.topic,
    implied: [],
    section: sectionOf(state),
    around: [],
  });
  const phrases = chunked.chunks.filter((chunk): chunk is NounPhrase => chunk.kind === 'np');
  const [first] = phrases;
  const saysFollowing = ({ from, to }: NounPhrase) =>
    body.slice(from, to).some((token) => token.lower === 'following');
  const unnamed = first?.head === undefined ? first : undefined;
  const parts = unnamed && unnamed.mentions.length > 0 && isPart(unnamed.noun) ? unnamed : undefined;
  const acts = (chunk: Chunk) =>
    chunk.kind === 'vg' && (chunk.lemma !== 'be' || chunk.passive) && chunk.from > (first?.from ?? 0);
  const following =
    unnamed?.mentions.length === 0 &&
    (isListed(unnamed.noun) || saysFollowing(unnamed)) &&
    chunked.chunks.some(acts);
  const last = chunked.chunks.findLast(({ kind }) => kind === 'np' || kind === 'vg' || kind === 'prep');
  const endsWithList =
    last?.kind === 'np' && !isIdea(last.noun) && (isListed(last.noun) || saysFollowing(last));
  return {
    subjects: open.subjects,
    verb: open.condition || open.verb?.negated ? undefined : open.verb,
    noun: open.noun,
    preposition: open.preposition,
    tokens: body,
    listed: listedNoun(phrases, open.verb),
    about: parts?.mentions.at(-1) ?? open.about,
    parts: parts !== undefined,
    following,
    open:
      (last?.kind === 'vg' && last.form !== 'ing') ||
      (last?.kind === 'prep' && !isIdea(phrases.at(-1)?.noun ?? '')) ||
      endsWithList ||
      phrases.some((phrase) => isListed(phrase.noun) && saysFollowing(phrase)),
  };
}

/** What a list holds: in "Patterns for X are:" it is patterns. */
function listedNoun(phrases: readonly NounPhrase[], verb: VerbGroup | undefined): string | undefined {
  const [first] = phrases;
  if (verb?.lemma === 'be' && !verb.passive && first && first.head === undefined)
    return isListed(first.noun) ? first.noun : undefined;
  return phrases.findLast((phrase) => isListed(phrase.noun))?.noun;
}

const SHORT = 4;

/** "X does the following:" */
function isPlainSubject({ via }: Actor): boolean {
  return via === 'direct' || via === 'joined' || via === 'pronoun';
}

/** "1. Restart X", a step for the reader; "Gossip memberlist", the name of something. */
function tellsReader(tokens: readonly Token[], step: boolean): boolean {
  const [first] = tokens;
  const verb = first && !first.mark && !first.code ? verbForm(first.lower) : undefined;
  return verb?.form === 'base' && (step || tokens.length <= SHORT);
}

/** The name an item is about: "**X**: …", "X – …", "A X, which …", "X (optional)". */
function itemHead(state: State, tokens: readonly Token[]): Mention | undefined {
  const part = headOfItem(tokens);
  const whole = part && wholeMention(state, part);
  if (whole) return whole;
  const [found] = findMentions(tokens, state.lexicon);
  if (!found) return undefined;
  const opens = tokens
    .slice(0, found.from)
    .every((token) => /^(?:the|an?|one|or|more|optional|optionally|our)$/.test(token.lower));
  const next = tokens[found.to];
  const stops =
    next && ((next.mark && /^[,(:–—-]$/.test(next.text)) || next.lower === 'which' || next.lower === 'that');
  return opens && stops ? found : undefined;
}

/** Names that an item begins with as its subject: "[A] and [B] store …". */
function leading(state: State, tokens: readonly Token[]): Mention[] {
  const found: Mention[] = [];
  for (const chunk of chunkSentence(tokens, findMentions(tokens, state.lexicon)).chunks) {
    if (chunk.kind === 'np') {
      if (!chunk.head || chunk.mentions.length > 1) return [];
      found.push(chunk.head);
    } else if (chunk.kind === 'vg') return chunk.form === 'finite' ? found : [];
    else if (chunk.kind !== 'conj' && !(chunk.kind === 'mark' && chunk.word === ',')) return [];
  }
  return found;
}

interface Announced {
  lists: Lists;
  lead: Lead | undefined;
  name: Mention;
  line: number;
}

/** A listed name completes the sentence that announced the list. */
function announce(state: State, { lists, lead, name, line }: Announced): void {
  if (!lead) return underHeading(state, { lists, name, line });
  const place = {
    shape: 'lead' as const,
    line: lead.tokens[0]!.line,
    endLine: line,
    sentence: `${textOf(lead.tokens)}: ${name.text}`,
  };
  const say = (
    subject: Actor,
    said: { verb: VerbGroup; noun?: string | undefined; preposition?: string | undefined },
  ) => {
    if (subject.mention.term.key !== name.term.key)
      state.out.statements.push(sideBySide([subject.mention, name], { ...place, ...said, subject }));
  };
  const { about, verb, noun, preposition } = lead;
  if (about && (lead.parts || (lead.listed !== undefined && (verb === undefined || verb.lemma === 'be')))) {
    const part = lead.parts || isPart(lead.listed!);
    say({ mention: about, via: 'direct', head: true }, { verb: verbOf(part ? 'include' : 'use') });
  } else if (lead.following) {
    // "The following processes access X:": what is listed does it.
    const chunked = chunkSentence(lead.tokens, findMentions(lead.tokens, state.lexicon));
    const { found } = readClauses(chunked, {
      topic: [],
      implied: [],
      section: [],
      around: [],
      following: [name],
    });
    for (const one of found)
      if (one.subject.mention === name && !one.condition)
        state.out.statements.push({ ...one, ...place, length: lead.tokens.length });
  } else if (verb && lead.open) {
    const parts = lead.listed !== undefined && isPart(lead.listed);
    for (const subject of lead.subjects)
      say(subject, parts ? { verb: verbOf('include') } : { verb, noun, preposition });
  }
}

/** "## Dependencies" under "# X": a heading that says what is listed. */
function underHeading(state: State, { lists, name, line }: Omit<Announced, 'lead'>): void {
  const own = state.headings.at(-1);
  if (lists.items.some((item) => item.head) || !own || own.term) return;
  const above = state.headings.slice(0, -1).findLast((one) => one.term)?.term;
  if (!above || above.term.key === name.term.key) return;
  const meaning = labelMeaning(own.text);
  const sentence = `${own.text}: ${name.text}`;
  if (meaning)
    state.out.statements.push(
      sideBySide([above, name], { shape: 'label', verb: verbOf('be'), line, sentence, meaning }),
    );
}

/** A line of names and arrows, or a key and its value about what the section is about. */
function readLine(state: State, { text, line }: TextBlock): boolean {
  const named = (part: string): Mention | undefined => wholeMention(state, tokensOf(state, part, line));
  const ends = arrowLine(text)?.map(named);
  if (ends?.every((end) => end !== undefined)) {
    for (const end of ends) mention(state, end, line);
    for (let at = 1; at < ends.length; at++)
      if (ends[at]!.term.key !== ends[at - 1]!.term.key)
        state.out.statements.push(
          sideBySide([ends[at - 1]!, ends[at]!], {
            shape: 'diagram',
            verb: verbOf('use'),
            line,
            sentence: text.trim(),
          }),
        );
    return true;
  }
  const said = keyLine(text);
  const meaning = said && labelMeaning(said.key);
  return meaning ? readKey(state, { ...said, meaning, line }) : false;
}

/** "Owner: A, B" of what the section is about. */
export function readKey(
  state: State,
  { key, value, meaning, line }: { key: string; value: string; meaning: Meaning; line: number },
): boolean {
  const [about] = sectionOf(state);
  if (!about) return false;
  let any = false;
  for (const part of value.split(/[,;]| and | \/ /).slice(0, 40)) {
    const name = wholeMention(state, tokensOf(state, part.replace(/\(.*$/, ''), line));
    if (!name) continue;
    any = true;
    mention(state, name, line);
    if (name.term.key === about.term.key) continue;
    const sentence = `${about.text}: ${key}: ${name.text}`;
    state.out.statements.push(
      sideBySide([about, name], { shape: 'label', verb: verbOf('be'), noun: key, line, sentence, meaning }),
    );
  }
  return any;
}
