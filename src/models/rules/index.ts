// The extractor that needs no key: entities and relations from what a text plainly says, constrained to the schema.
// Deterministic, and precise before complete: a doubtful reading is left out. It reads whole documents best, because
// a section's heading tells what "it" means and a service file makes sense only as a whole.

import {
  entityKey,
  OTHER_TYPE,
  type EntityMention,
  type GraphSchema,
  type RelationMention,
} from '../../domain/graph.ts';
import type { Extraction, ExtractInput, Extractor } from '../../ports/extractor.ts';
import { blocksOf, type Block } from './blocks.ts';
import { buildCues } from './cues.ts';
import { readArrowLine, readDiagram } from './diagrams.ts';
import { readManifest } from './manifests.ts';
import type { Span } from './names.ts';
import { readSentence, sentencesOf, topicKey } from './sentences.ts';
import { headingSubject, listed, readFront, readKeyLine, readTable } from './structure.ts';
import type { Collector, FoundRelation, RuleContext } from './types.ts';
import { buildLexicon } from './verbs.ts';

export const RULES_VERSION = 'rules-2';

const MAX_ENTITIES = 4000;
const MAX_RELATIONS = 8000;
const MAX_DESCRIPTION = 400;

type Prepared = Pick<RuleContext, 'cues' | 'lexicon'>;

export function createRulesExtractor(): Extractor {
  const prepared = new WeakMap<GraphSchema, Prepared>();
  return {
    provider: 'rules',
    model: 'rules',
    version: RULES_VERSION,
    hosted: false,
    async extract(input, schema) {
      let ready = prepared.get(schema);
      if (!ready) {
        ready = { cues: buildCues(schema), lexicon: buildLexicon(schema) };
        prepared.set(schema, ready);
      }
      return extractByRules(input, ready);
    },
  };
}

export function extractByRules(input: ExtractInput, prepared: Prepared): Extraction {
  const collected = collector();
  const context: RuleContext = {
    ...prepared,
    memory: new Map(),
    capitals: capitalsOf(input.text),
    topics: new Set(input.headingPath.map(topicKey)),
    out: collected.out,
  };
  const structured = /\.(?:json|ya?ml)$/i.test(input.path);
  if (structured) readManifest(input.text, input.startLine, context);
  else readBlocks(input, context);
  return collected.finish((name) => context.memory.get(name.toLowerCase()) ?? conceptOf(name, context));
}

/** What the document has a heading for, and says relations of, is a concept of it. */
function conceptOf(name: string, { topics, cues }: RuleContext): string | undefined {
  return topics.has(topicKey(name)) && cues.has('CONCEPT') ? cues.kind('concept') : undefined;
}

function readBlocks(input: ExtractInput, context: RuleContext): void {
  const blocks = blocksOf(input.text, input.startLine);
  learnNames(blocks, context);
  // The subject of a section, by heading level; a deeper heading that names nothing keeps the one above it.
  const subjects: { level: number; subject: Span }[] = [];
  input.headingPath.forEach((heading, index) => {
    const subject = headingSubject(heading, context);
    if (subject) subjects.push({ level: index + 1, subject });
  });
  let label: { type: string; reverse: boolean; level: number } | undefined;
  for (const block of blocks) {
    const subject = subjects.at(-1)?.subject;
    switch (block.kind) {
      case 'front': {
        const found = readFront(block.text, block.line, context);
        if (found) subjects.push({ level: 0, subject: found });
        break;
      }
      case 'heading': {
        while (subjects.length > 0 && subjects.at(-1)!.level >= block.level) subjects.pop();
        if (label && block.level <= label.level) label = undefined;
        const found = headingSubject(block.text, context);
        if (found) {
          subjects.push({ level: block.level, subject: found });
          context.out.entity(found.name, found.type, block.line);
        } else {
          const said = context.lexicon.label(block.text);
          label = said ? { ...said, level: block.level } : undefined;
        }
        break;
      }
      case 'fence':
        if (
          !readDiagram(block.language, block, context) &&
          /^(?:ya?ml|json)$/.test(block.language) &&
          /^\s*services\s*:/m.test(block.text)
        )
          readManifest(block.text, block.line, context);
        break;
      case 'table':
        readTable(block.rows, block.line, context);
        break;
      case 'item':
      case 'paragraph':
        readText(block, { subject, label: block.kind === 'item' ? label : undefined }, context);
        break;
    }
  }
}

function readText(
  block: Extract<Block, { kind: 'item' | 'paragraph' }>,
  section: { subject: Span | undefined; label: { type: string; reverse: boolean } | undefined },
  context: RuleContext,
): void {
  const { subject, label } = section;
  if (readArrowLine(block, context)) return;
  if (subject && readKeyLine(block, subject, context)) return;
  if (
    subject &&
    label &&
    listed(block.text.replaceAll('\n', ' '), block.line, { subject, ...label, hint: undefined }, context)
  )
    return;
  let about = subject;
  for (const sentence of sentencesOf(block)) {
    // "Uses Redis for sessions." in a list about one thing.
    const bare =
      subject &&
      block.kind === 'item' &&
      context.lexicon.active.has(/^(\p{Lu}\p{Ll}+s)\b/u.exec(sentence.text)?.[1]?.toLowerCase() ?? '');
    const text = bare ? `It ${sentence.text[0]!.toLowerCase()}${sentence.text.slice(1)}` : sentence.text;
    about = readSentence({ text, line: sentence.line }, context, about);
  }
}

/** A first pass over headings and front matter, so that a name typed late is known early. */
function learnNames(blocks: readonly Block[], context: RuleContext): void {
  for (const block of blocks) {
    if (block.kind === 'front') {
      const title = /^title:\s*["']?(.{1,80}?)["']?\s*$/m.exec(block.text)?.[1];
      if (title !== undefined) context.topics.add(topicKey(title));
    }
    if (block.kind !== 'heading') continue;
    context.topics.add(topicKey(block.text.replaceAll(/[`*]/g, '').replace(/\s*\{#.*\}$/, '')));
    const found = headingSubject(block.text, context);
    if (found?.type !== undefined) context.memory.set(found.name.toLowerCase(), found.type);
  }
}

function capitalsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const match of text.slice(0, 200_000).matchAll(/[\p{Ll},]\s(?:the\s)?(\p{Lu}[\p{L}\p{N}]+)/gu))
    found.add(match[1]!);
  return found;
}

/** Keeps one mention per name and line, one relation per pair, type and line; drops what points at itself. */
function collector(): { out: Collector; finish(typeOf: (name: string) => string | undefined): Extraction } {
  const entities = new Map<string, EntityMention>();
  const relations = new Map<string, RelationMention>();
  let dropped = 0;
  const out: Collector = {
    entity(name, type, line, description) {
      const clean = cleanName(name);
      if (clean === '' || entities.size >= MAX_ENTITIES) return;
      const key = `${entityKey(clean)}\n${line}`;
      const there = entities.get(key);
      const text = description?.slice(0, MAX_DESCRIPTION);
      if (!there) {
        entities.set(key, {
          name: clean,
          type: type ?? OTHER_TYPE,
          ...(text ? { description: text } : {}),
          startLine: line,
          endLine: line,
        });
        return;
      }
      if (there.type === OTHER_TYPE && type !== undefined) there.type = type;
      if (text && text.length > (there.description?.length ?? 0)) there.description = text;
    },
    relation(found: FoundRelation) {
      const source = cleanName(found.source.name);
      const target = cleanName(found.target.name);
      if (source === '' || target === '' || entityKey(source) === entityKey(target)) {
        dropped += 1;
        return;
      }
      if (relations.size >= MAX_RELATIONS) return;
      out.entity(source, found.source.type, found.line);
      out.entity(target, found.target.type, found.line);
      const key = [entityKey(source), entityKey(target), found.type, found.line].join('\n');
      if (relations.has(key)) return;
      relations.set(key, {
        source,
        target,
        type: found.type,
        ...(found.description ? { description: found.description.slice(0, MAX_DESCRIPTION) } : {}),
        ...(found.keywords ? { keywords: found.keywords } : {}),
        startLine: found.line,
        endLine: found.endLine ?? found.line,
      });
    },
  };
  return {
    out,
    finish(typeOf) {
      for (const entity of entities.values())
        if (entity.type === OTHER_TYPE) entity.type = typeOf(entity.name) ?? OTHER_TYPE;
      return {
        entities: [...entities.values()],
        relations: [...relations.values()],
        dropped,
        inputTokens: 0,
        outputTokens: 0,
      };
    },
  };
}

function cleanName(name: string): string {
  return name.normalize('NFC').replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim().slice(0, 256);
}
