// What one place of a document states between two names, and the state of reading a document.

import type { Syntax } from '../text/blocks.ts';
import { inlineOf } from '../text/inline.ts';
import { sentencesOf, type Token } from '../text/tokens.ts';
import type { Declared } from '../manifests/declared.ts';
import { HEADS } from '../terms/generic.ts';
import type { Lexicon, Term } from '../terms/lexicon.ts';
import { findMentions, type Mention } from '../terms/mentions.ts';
import type { VerbGroup } from './chunks.ts';
import { plainly, type Found } from './clause.ts';
import type { Meaning } from './meanings.ts';

/** Where it stands: in a sentence, in a list under its announcement, in a table, in a drawing. */
export type Shape = 'sentence' | 'item' | 'lead' | 'cell' | 'column' | 'label' | 'diagram' | 'group';

export interface Statement extends Found {
  shape: Shape;
  line: number;
  endLine: number;
  sentence: string;
  /** Words of the sentence. */
  length: number;
  /** Where a label, a column or the drawing itself says what it means. */
  meaning?: Meaning;
}

export interface Reading {
  statements: Statement[];
  mentions: { term: Term; text: string; line: number }[];
  /** Sentences that say what a term is. */
  definitions: { term: Term; sentence: string; line: number }[];
  /** What service files inside fences declare. */
  declared: Declared[];
}

interface Heading {
  level: number;
  term: Mention | undefined;
  text: string;
}

export interface State {
  lexicon: Lexicon;
  syntax: Syntax;
  out: Reading;
  /** What the headings above are about. */
  headings: Heading[];
  /** What a pronoun means now. */
  topic: Mention[];
  /** Terms met lately, the last one first. */
  recent: Term[];
}

/** The one name that a short text is, but for an article or a word for its kind. */
export function wholeMention(state: State, tokens: readonly Token[]): Mention | undefined {
  const words = tokens.filter((token) => !token.mark);
  const [one, another] = findMentions(tokens, state.lexicon);
  if (!one || another) return undefined;
  const spare = HEADS.has(words.at(-1)?.lower ?? '') || words[0]?.lower === 'the' ? 1 : 0;
  return one.to - one.from >= words.length - spare ? one : undefined;
}

export function tokensOf(state: State, text: string, line = 1): Token[] {
  return sentencesOf(inlineOf(text, state.syntax), line).flat();
}

export function mention(state: State, { term, text }: Pick<Mention, 'term' | 'text'>, line: number): void {
  state.out.mentions.push({ term, text, line });
}

/** What the last heading is about, if it is a name. */
export function headingTopic(state: State): Mention[] {
  const own = state.headings.at(-1)?.term;
  return own ? [own] : [];
}

/** What the nearest heading that is a name is about. */
export function sectionOf(state: State): Mention[] {
  const own = state.headings.findLast((one) => one.term)?.term;
  return own ? [own] : [];
}

/** What the headings around are about, the nearest first. */
export function aroundOf(state: State): Mention[] {
  return state.headings.flatMap((one) => one.term ?? []).reverse();
}

/** A verb that no sentence holds, for what a list, a table or a drawing says. */
export function verbOf(lemma: string): VerbGroup {
  return {
    kind: 'vg',
    from: 0,
    to: 0,
    lemma,
    form: 'finite',
    passive: false,
    negated: false,
    modal: undefined,
    past: false,
    plain: false,
  };
}

/** A statement between two names that stand side by side. */
export function sideBySide(
  [from, to]: readonly [Mention, Mention],
  said: Pick<Statement, 'shape' | 'verb' | 'line' | 'sentence'> & Partial<Statement>,
): Statement {
  return {
    ...plainly({ mention: from, via: 'direct', head: true }, to, said.verb),
    endLine: said.line,
    length: 0,
    ...said,
  };
}

export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token, at) => {
      const glued =
        at === 0 || token.joined || /^[.,;:!?)\]]$/.test(token.text) || /^[([]$/.test(tokens[at - 1]!.text);
      return (glued ? '' : ' ') + token.text + (token.owner ? "'s" : '');
    })
    .join('');
}
