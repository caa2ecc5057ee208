// Tables: what a row is about stands in its first cell; the other cells name what it has to do with, or say it in words.

import type { TableBlock } from '../text/blocks.ts';
import { inlineOf } from '../text/inline.ts';
import { sentencesOf, type Token } from '../text/tokens.ts';
import { findMentions, type Mention } from '../terms/mentions.ts';
import { labelMeaning } from './labels.ts';
import { readSentence } from './sentence.ts';
import {
  headingTopic,
  mention,
  sideBySide,
  textOf,
  tokensOf,
  verbOf,
  wholeMention,
  type State,
} from './statement.ts';

export function readTable(state: State, { header, rows }: TableBlock): void {
  const heads = header.map((cell) => textOf(tokensOf(state, cell)).toLowerCase());
  for (const { line, cells } of rows) {
    const [first = '', ...others] = cells;
    const row = wholeMention(state, tokensOf(state, first, line));
    if (row) mention(state, row, line);
    else readCell(state, { cell: first, head: heads[0] ?? '', line, row });
    others.forEach((cell, at) => readCell(state, { cell, head: heads[at + 1] ?? '', line, row }));
  }
  state.topic = headingTopic(state);
}

/** Heads of columns that say how a row is described, and nothing between its name and another. */
const SAYS_NOTHING =
  /^(?:.* )?(?:comments?|defaults?|descriptions?|details|examples?|information|links?|meaning|notes?|purpose|remarks?|required|see also|status|summary|types?|values?)$/;

interface Cell {
  cell: string;
  head: string;
  line: number;
  row: Mention | undefined;
}

function readCell(state: State, { cell, head, line, row }: Cell): void {
  const sentences = sentencesOf(inlineOf(cell, state.syntax), line);
  const names = row ? listedNames(state, sentences.flat()) : [];
  for (const name of names) {
    mention(state, name, line);
    if (!row || name.term.key === row.term.key) continue;
    const sentence = `${row.text} | ${head} | ${name.text}`;
    const joined = names.length > 1;
    if (SAYS_NOTHING.test(head)) continue;
    const meaning = labelMeaning(head) ?? { kind: 'OTHER' as const, reverse: false, clear: 1 as const };
    state.out.statements.push(
      sideBySide([row, name], {
        meaning,
        shape: 'column',
        verb: verbOf('be'),
        noun: head,
        line,
        sentence,
        joined,
      }),
    );
  }
  if (names.length > 0) return;
  for (const tokens of sentences) {
    state.topic = row ? [row] : [];
    readSentence(state, tokens, 'cell', row ? [row] : []);
  }
}

/** Names of a cell that holds names and nothing else. */
function listedNames(state: State, tokens: readonly Token[]): Mention[] {
  const found = findMentions(tokens, state.lexicon);
  const covered = found.reduce((sum, { from, to }) => sum + to - from, 0);
  const words = tokens.filter((token) => !token.mark && !/^(?:and|or|the)$/.test(token.lower)).length;
  return covered >= words ? found : [];
}
