// Reads a document for what it states between the names of its corpus, block by block.

import { readDiagram } from '../diagrams/diagram.ts';
import { readManifest } from '../manifests/read.ts';
import { frontFields, type Block, type Syntax } from '../text/blocks.ts';
import type { Lexicon } from '../terms/lexicon.ts';
import { findMentions } from '../terms/mentions.ts';
import { readDrawing } from './drawings.ts';
import { labelMeaning } from './labels.ts';
import { noLists, readItem, readKey, readParagraph } from './lists.ts';
import { readTable } from './rows.ts';
import { headingTopic, mention, tokensOf, wholeMention, type Reading, type State } from './statement.ts';

export function readDocument(
  blocks: readonly Block[],
  syntax: Syntax,
  lexicon: Lexicon,
  above: readonly string[],
): Reading {
  const out: Reading = { statements: [], mentions: [], definitions: [], declared: [] };
  const state: State = { lexicon, syntax, out, headings: [], topic: [], recent: [] };
  above.forEach((text, level) =>
    state.headings.push({ level, term: wholeMention(state, tokensOf(state, text)), text }),
  );
  state.topic = headingTopic(state);
  let lists = noLists();
  for (const block of blocks) {
    switch (block.kind) {
      case 'heading':
        readHeading(state, block);
        lists = noLists();
        break;
      case 'front':
        readFront(state, block);
        break;
      case 'table':
        readTable(state, block);
        lists.lead = undefined;
        break;
      case 'paragraph':
        readParagraph(state, lists, block);
        break;
      case 'item':
        readItem(state, lists, block);
        break;
      case 'fence':
        readFence(state, block);
        lists.lead = undefined;
        break;
    }
  }
  return out;
}

function readHeading(state: State, { level, text, line }: Extract<Block, { kind: 'heading' }>): void {
  while (state.headings.length > 0 && state.headings.at(-1)!.level >= level) state.headings.pop();
  const tokens = tokensOf(state, text, line);
  for (const one of findMentions(tokens, state.lexicon)) mention(state, one, line);
  state.headings.push({ level, term: wholeMention(state, tokens), text });
  state.topic = headingTopic(state);
}

/** The title of a page stands above all headings; other keys of the front matter may name relations of it. */
function readFront(state: State, { text, line }: Extract<Block, { kind: 'front' }>): void {
  const fields = frontFields(text);
  const title = fields.find(({ key }) => key === 'title' || key === 'name');
  if (!title) return;
  const term = wholeMention(state, tokensOf(state, title.value));
  state.headings.push({ level: 0, term, text: title.value });
  state.topic = headingTopic(state);
  if (!term) return;
  mention(state, term, line + title.line);
  for (const { key, value, line: at } of fields) {
    const meaning = key === 'title' || key === 'name' ? undefined : labelMeaning(key);
    if (meaning) readKey(state, { key, value, meaning, line: line + at });
  }
}

/** A drawing, or a service file shown whole. */
function readFence(state: State, { language, text, line }: Extract<Block, { kind: 'fence' }>): void {
  const diagram = readDiagram(language, text, line);
  if (diagram) return readDrawing(state, diagram, line);
  if (!/^(?:ya?ml|json)$/.test(language) || !/^ *services *:/m.test(text)) return;
  const declared = readManifest(text, line, `fence.${language}`);
  if (declared) state.out.declared.push(declared);
}
