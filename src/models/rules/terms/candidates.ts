// What a document sets apart or keeps speaking of: candidates for names. Whether one is a name is decided over all
// documents, see lexicon.ts.

import { ABOUT_A_DRAWING, labelName, readDiagram } from '../diagrams/diagram.ts';
import { arrowLine } from '../diagrams/arrows.ts';
import { keyLine, labelMeaning } from '../relations/labels.ts';
import { frontFields, type Block, type Syntax, type TableBlock, type TextBlock } from '../text/blocks.ts';
import { inlineOf } from '../text/inline.ts';
import { sentencesOf, type Token } from '../text/tokens.ts';
import { tagSentence, type Tag } from '../words/tags.ts';
import { DOCUMENT_WORDS, HEADS } from './generic.ts';
import { readPhrases } from './phrases.ts';
import {
  addKind,
  addName,
  addPhrase,
  emptySurvey,
  MAX_WORDS,
  type Candidate,
  type EvidenceKind,
  type Survey,
} from './survey.ts';

export function surveyBlocks(blocks: readonly Block[], syntax: Syntax): Survey {
  const survey = emptySurvey();
  const tokens = (text: string): Token[] => sentencesOf(inlineOf(text, syntax), 1).flat();
  // Whether the sentence or heading above says that components, services and the like are listed.
  let kinds = false;
  for (const block of blocks) {
    switch (block.kind) {
      case 'heading':
        kinds = saysKinds(block.text);
        headed(survey, tokens(block.text), block.level === 1 ? 'title' : 'heading');
        break;
      case 'front':
        for (const { key, value } of frontFields(block.text)) {
          if (/^(?:title|linkTitle|sidebar_label|name)$/.test(key)) headed(survey, tokens(value), 'title');
          else if (labelMeaning(key)) labelled(survey, key, value, tokens);
        }
        break;
      case 'table':
        table(survey, block, syntax);
        break;
      case 'paragraph':
        kinds = block.text.trimEnd().endsWith(':')
          ? saysKinds(block.text.trimEnd().slice(-200))
          : kinds && block.indent > 0;
        line(survey, block, tokens);
        text(survey, block, syntax, 'item');
        break;
      case 'item':
        line(survey, block, tokens);
        text(survey, block, syntax, kinds ? 'listed' : 'item');
        break;
      case 'fence':
        drawing(survey, block);
        break;
    }
  }
  return survey;
}

const KINDS =
  /\b(?:components?|(?:micro)?services?|modules?|subsystems|applications|apps|controllers?|daemons|databases|backends?|protocols|agents|plugins|containers|processes|binaries|programs|tools|libraries|integrations|systems|drivers|feature flags?|repositories|projects|packages|resources|pods|nodes|roles|clients|sdks|servers)\b/;
const MAX_ANNOUNCEMENT = 300;

function saysKinds(words: string): boolean {
  return words.length < MAX_ANNOUNCEMENT && KINDS.test(words.toLowerCase());
}

/** `Owner: A, B`, `A → B`: what stands there is meant as a name. */
function line(survey: Survey, block: TextBlock, tokens: (text: string) => Token[]): void {
  for (const name of arrowLine(block.text) ?? []) whole(survey, tokens(name), 'listed');
  const said = keyLine(block.text);
  if (said && labelMeaning(said.key)) labelled(survey, said.key, said.value, tokens);
}

function labelled(survey: Survey, key: string, value: string, tokens: (text: string) => Token[]): void {
  const kind = key
    .toLowerCase()
    .split(/[\s_-]+/)
    .at(-1)!;
  for (const part of value.split(/[,;]| and | \/ /).slice(0, 40)) {
    const words = tokens(part.replace(/\(.*$/, ''));
    if (words.length > SHORT_CELL || NO_NAME.test(part.trim())) continue;
    if (tagSentence(words).tags.some((tag) => SENTENCE.has(tag))) continue;
    const found = whole(survey, words, 'row');
    if (/^(?:team|owner|maintainer)s?$/.test(kind)) addKind(found, 'team');
  }
}

/** What stands where no name does. */
const NO_NAME =
  /^(?:all|any|both|default|everything|n\/a|no|none|nothing|others?|self|tbd|various|yes|true|false|[-–—])$/i;
const SHORT_CELL = 4;

function table(survey: Survey, { header, rows }: TableBlock, syntax: Syntax): void {
  const listed = saysKinds(header[0] ?? '') ? 'row' : 'cell';
  const named = header.map((cell) => labelMeaning(cell) !== undefined);
  for (const { cells } of rows)
    cells.forEach((cell, column) => {
      const sentences = sentencesOf(inlineOf(cell, syntax), 1);
      const tokens = sentences.flat();
      if (column > 0 && named[column])
        labelled(survey, header[column]!, cell, (part) => sentencesOf(inlineOf(part, syntax), 1).flat());
      else if (tokens.length <= SHORT_CELL && !NO_NAME.test(cell.trim()))
        whole(survey, tokens, column === 0 ? listed : undefined);
      for (const sentence of sentences) readPhrases(survey, sentence);
    });
}

function text(survey: Survey, block: TextBlock, syntax: Syntax, listed: EvidenceKind): void {
  if (block.term !== undefined) whole(survey, sentencesOf(inlineOf(block.term, syntax), 1).flat(), listed);
  const sentences = sentencesOf(inlineOf(block.text, syntax), block.line);
  const head = block.kind === 'item' && sentences[0] ? headOfItem(sentences[0]) : undefined;
  if (head) whole(survey, head, listed);
  for (const sentence of sentences) readPhrases(survey, sentence);
}

/** The name an item begins with: all of it, or what stands before a colon, a dash or a bracket. */
export function headOfItem(sentence: readonly Token[]): Token[] | undefined {
  const stop = sentence.findIndex(
    ({ mark, text, joined }, at) => mark && (/^[:(–—]$/.test(text) || (text === '-' && !joined && at > 0)),
  );
  let end = stop === -1 ? sentence.length : stop;
  const last = sentence[end - 1];
  if (stop === -1 && last?.mark && '.,;'.includes(last.text)) end -= 1;
  const tokens = sentence.slice(0, end);
  const short = tokens.length > 0 && tokens.length <= MAX_WORDS + 1;
  return short && tokens.every((token) => !token.mark || token.joined) ? tokens : undefined;
}

const SENTENCE: ReadonlySet<Tag> = new Set(['verb', 'modal', 'be', 'sub', 'mark', 'pron'] as const);

/** A heading or title is a candidate where it is a name and not a sentence; so is what "… architecture" stands behind. */
function headed(survey: Survey, all: readonly Token[], kind: EvidenceKind): void {
  const start = all.findIndex((token) => !token.mark && !/^[\d.]+$/.test(token.text));
  const tokens = start === -1 ? [] : all.slice(start);
  if (tokens.length === 0 || tokens.length > MAX_WORDS + 1) return;
  const { tags } = tagSentence(tokens);
  if (tags.some((tag) => SENTENCE.has(tag)) || (tags[0] === 'ing' && !isNamedThing(tokens))) return;
  if (/^(?:how|why|what|about)$/.test(tokens[0]!.lower)) return;
  let end = tokens.length;
  while (end > 1 && DOCUMENT_WORDS.has(tokens[end - 1]!.lower)) end -= 1;
  const joint = tags.findIndex((tag) => tag === 'prep' || tag === 'to' || tag === 'conj');
  if (joint === -1) {
    whole(survey, tokens.slice(0, end), end === tokens.length ? kind : undefined);
    return;
  }
  if (tags[joint] !== 'conj') return;
  // "Routing and Policies" are two.
  whole(survey, tokens.slice(0, joint), kind);
  whole(survey, tokens.slice(joint + 1, end), kind);
}

/** Takes all of a short text for a candidate, but for an article. */
function whole(
  survey: Survey,
  tokens: readonly Token[],
  kind: EvidenceKind | undefined,
): Candidate | undefined {
  const { tags } = tagSentence(tokens);
  let from = 0;
  while (from < tokens.length && (tags[from] === 'det' || tokens[from]!.lower === 'optional')) from += 1;
  return addPhrase(survey, tokens.slice(from), kind);
}

/** "Billing Service" is a name, "Scaling services" is not. */
function isNamedThing(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)!;
  return (
    tokens.length === 2 && last.text !== last.lower && HEADS.has(last.lower) && !last.lower.endsWith('s')
  );
}

/** Boxes of a drawing are names. */
function drawing(survey: Survey, { language, text: source, line }: Extract<Block, { kind: 'fence' }>): void {
  const diagram = readDiagram(language, source, line);
  if (!diagram) return;
  for (const { label, shape } of diagram.nodes.values()) {
    const read = labelName(label);
    if (!read) continue;
    const found = addName(survey, read.name, 'node');
    if (shape === 'database' || shape === 'queue') addKind(found, shape);
    if (read.also !== undefined) addName(survey, read.also, 'node');
  }
  for (const { label } of diagram.groups.values()) {
    const read = labelName(label);
    if (read && !ABOUT_A_DRAWING.test(read.name)) addName(survey, read.name, 'node');
  }
}
