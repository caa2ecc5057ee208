// A document as entities and relations, with the names of its corpus known.

import { entityKey, OTHER_TYPE, type EntityMention, type RelationMention } from '../../domain/graph.ts';
import type { Extraction, ExtractInput } from '../../ports/extractor.ts';
import type { Kinds } from './kinds.ts';
import type { Declared } from './manifests/declared.ts';
import { isManifest, readManifest } from './manifests/read.ts';
import { confidenceOf } from './relations/confidence.ts';
import { meaningOf, type Kind } from './relations/meanings.ts';
import { readDocument } from './relations/read.ts';
import type { Statement } from './relations/statement.ts';
import { blocksOf, isProse, syntaxOf } from './text/blocks.ts';
import { normalKey } from './terms/keys.ts';
import { resolveKey, type Lexicon, type Term } from './terms/lexicon.ts';

const MAX_MENTIONS = 20_000;
const MAX_RELATIONS = 10_000;
const MAX_DESCRIPTION = 400;
/** Below this a statement is more likely wrong than right. */
const LEAST_CONFIDENCE = 0.3;
const LEAST_IN_MUCH = 0.75;
/** What a file declares is so; a drawing nearly always. */
const DECLARED_CONFIDENCE = 0.97;

export interface Prepared {
  kinds: Kinds;
  typeOf: (kind: Kind) => string;
  lexicon: Lexicon;
}

export function extractDocument(input: ExtractInput, prepared: Prepared): Extraction {
  const out = new Collector();
  if (isManifest(input.path)) {
    const declared = readManifest(input.text, input.startLine, input.path);
    if (declared) takeDeclared(out, declared, prepared);
    return out.extraction();
  }
  if (!isProse(input.path)) return out.extraction();
  const { lexicon } = prepared;
  const syntax = syntaxOf(input.path);
  const blocks = blocksOf(input.text, input.startLine, syntax);
  const reading = readDocument(blocks, syntax, lexicon, input.headingPath);
  for (const { term, text, line } of reading.mentions)
    out.entity({ name: text, of: term.name, type: typeOfTerm(term, prepared), line });
  for (const { term, sentence, line } of reading.definitions) out.describe(term, sentence, line);
  for (const statement of reading.statements) takeStatement(out, statement, prepared);
  for (const declared of reading.declared) takeDeclared(out, declared, prepared);
  return out.extraction();
}

function typeOfTerm(term: Term, { kinds }: Prepared): string {
  return (
    kinds.typeOf(term.name, term.kinds) ??
    (term.concept ? kinds.declared('concept') : undefined) ??
    OTHER_TYPE
  );
}

function takeStatement(out: Collector, statement: Statement, prepared: Prepared): void {
  const { verb, noun, preposition, subject, object } = statement;
  const meaning =
    statement.meaning ??
    meaningOf({
      lemma: verb.lemma,
      preposition,
      noun,
      passive: verb.passive,
      means:
        prepared.kinds.typeOf(object.term.name, object.term.kinds) === prepared.kinds.declared('protocol') &&
        prepared.kinds.declared('protocol') !== undefined,
    });
  if (!meaning) return;
  const confidence = confidenceOf(statement, meaning);
  if (confidence < (prepared.lexicon.large ? LEAST_IN_MUCH : LEAST_CONFIDENCE)) return;
  // "runs … with Y", "defines … to Y": a verb and a preposition that do not belong together.
  const vague = preposition !== undefined && meaning.clear < 2 && statement.shape === 'sentence';
  // "a Y account is …", "an audit done by Y": nothing is known of what does it or is done.
  const aside =
    subject.via === 'indirect' && preposition === 'by'
      ? meaning.clear < 2
      : !subject.head && meaning.clear === 0;
  if (aside && statement.shape !== 'label') return;
  // "is independent of X": how something is, and nothing between the two.
  if (verb.lemma === 'be' && statement.adjective && meaning.clear < 2 && preposition !== undefined) return;
  if (vague && (prepared.lexicon.large || !statement.objectHead)) return;
  const type = prepared.typeOf(meaning.kind);
  const byAgent = verb.passive && preposition === 'by';
  // A relation that the schema has no type for is read by its verb, so it points the way the verb does.
  const reverse = type === OTHER_TYPE ? meaning.reverse && byAgent : meaning.reverse;
  const [source, target] = reverse
    ? [object.term, subject.mention.term]
    : [subject.mention.term, object.term];
  out.relation({
    source: source.name,
    target: target.name,
    type,
    keywords: [keywordOf(statement)],
    description: statement.sentence.slice(0, MAX_DESCRIPTION),
    confidence,
    startLine: statement.line,
    endLine: statement.endLine,
  });
}

/** The words of the text for it: "depend on", "be stored in"; the label of an arrow; the head of a column. */
function keywordOf({ verb, preposition, noun, shape }: Statement): string {
  if (verb.passive && preposition === 'by') return verb.lemma;
  if (noun !== undefined && noun !== '' && (shape === 'diagram' || shape === 'column'))
    return noun.slice(0, 60);
  return [verb.passive ? 'be' : '', verb.lemma, preposition ?? ''].filter(Boolean).join(' ');
}

function takeDeclared(out: Collector, declared: Declared, prepared: Prepared): void {
  const { kinds, lexicon } = prepared;
  const known = new Set<string>();
  for (const { name, kind, line, description } of declared.things) {
    const type = kinds.declared(kind);
    // A schema without endpoints has no place for every path of an API.
    if (type === undefined && kind === 'endpoint') continue;
    known.add(name);
    const term = resolveKey(lexicon, normalKey(name));
    out.entity({
      name,
      of: term?.name ?? name,
      type: kinds.typeOf(name) ?? type ?? OTHER_TYPE,
      line,
      description,
    });
  }
  for (const { source, target, kind, line, keyword } of declared.relations) {
    if (!known.has(source) && !known.has(target)) continue;
    if (kind === 'EXPOSES' && keyword === 'path' && !known.has(target)) continue;
    const nameOf = (name: string) => resolveKey(lexicon, normalKey(name))?.name ?? name;
    out.relation({
      source: nameOf(source),
      target: nameOf(target),
      type: prepared.typeOf(kind),
      keywords: [keyword],
      confidence: DECLARED_CONFIDENCE,
      startLine: line,
      endLine: line,
    });
  }
}

/** A mention: as it is written, and the name it is kept under. */
interface Named {
  name: string;
  of: string;
  type: string;
  line: number;
  description?: string | undefined;
}

/** Keeps one mention per name and line, one relation per pair, type and line; drops what points at itself. */
class Collector {
  readonly #entities = new Map<string, EntityMention>();
  readonly #relations = new Map<string, RelationMention>();

  entity({ name, of, type, line, description }: Named): void {
    const key = `${of}\n${line}`;
    const there = this.#entities.get(key);
    if (there) {
      if (description && description.length > (there.description?.length ?? 0))
        there.description = description.slice(0, MAX_DESCRIPTION);
      return;
    }
    if (this.#entities.size >= MAX_MENTIONS) return;
    this.#entities.set(key, {
      name,
      type,
      ...(name === of ? {} : { of }),
      ...(description ? { description: description.slice(0, MAX_DESCRIPTION) } : {}),
      startLine: line,
      endLine: line,
    });
  }

  describe(term: Term, sentence: string, line: number): void {
    const there = this.#entities.get(`${term.name}\n${line}`);
    if (there) there.description = sentence.slice(0, MAX_DESCRIPTION);
  }

  relation(mention: RelationMention): void {
    if (entityKey(mention.source) === entityKey(mention.target)) return;
    const key = [mention.source, mention.target, mention.type, mention.startLine].join('\n');
    const there = this.#relations.get(key);
    if (there && (there.confidence ?? 0) >= (mention.confidence ?? 0)) return;
    if (this.#relations.size < MAX_RELATIONS) this.#relations.set(key, mention);
  }

  extraction(): Extraction {
    return {
      entities: [...this.#entities.values()],
      relations: [...this.#relations.values()],
      inputTokens: 0,
      outputTokens: 0,
    };
  }
}
