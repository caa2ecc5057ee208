// A word query as FTS5 reads it. Every word is quoted, so nothing a person types is ever syntax.

import type { WordNode, WordQuery } from '../../../domain/query.ts';
import { STOPWORDS } from '../../../domain/stopwords.ts';
import { wordVariants, type Variant } from '../../../domain/variants.ts';

/** Weight per column: title, heading path, body, split identifiers and CJK pairs. */
export const COLUMN_WEIGHTS = [2, 2, 1, 0.5] as const;
/** `# text` asks for headings. */
export const HEADING_BOOST = 3;

const MAX_UNITS = 64;

/** One word, phrase or group of the ranked OR. */
export interface Unit {
  match: string;
  /** One FTS5 phrase, so that its best possible score is known; a group of variants is not. */
  plain: boolean;
}

export interface CompiledQuery {
  should: Unit[];
  must: string | undefined;
  not: string | undefined;
}

/** Undefined when nothing is left to look for. */
export function compileQuery(query: WordQuery): CompiledQuery | undefined {
  const must = joined(compileAll(query.must), ' AND ');
  const not = joined(compileAll(query.not), ' OR ');
  const compiled = compileAll(withoutStopwords(query.should, must !== undefined)).slice(0, MAX_UNITS);
  if (compiled.length === 0 && must === undefined) return undefined;
  return { should: compiled.map((match) => ({ match, plain: !match.includes('(') })), must, not };
}

export function allOf(units: readonly Unit[]): string {
  return units.map((unit) => unit.match).join(' AND ');
}

export function anyOf(units: readonly Unit[]): string {
  return units.map((unit) => unit.match).join(' OR ');
}

export function without(match: string, not: string | undefined): string {
  return not === undefined ? match : `(${match}) NOT (${not})`;
}

/** Words that say little are left out of the ranked OR, unless nothing else is there. */
function withoutStopwords(nodes: readonly WordNode[], required: boolean): readonly WordNode[] {
  const telling = nodes.filter(
    (node) => node.kind !== 'term' || node.prefix || node.field || !STOPWORDS.has(node.text.toLowerCase()),
  );
  return telling.length > 0 || required ? telling : nodes;
}

function compileAll(nodes: readonly WordNode[]): string[] {
  const compiled = nodes.map(compileNode).filter((text) => text !== undefined);
  return [...new Set(compiled)];
}

function compileNode(node: WordNode): string | undefined {
  switch (node.kind) {
    case 'term':
      return inField(node.prefix ? prefixOf(node.text) : compileTerm(node.text), node.field);
    case 'phrase':
      return inField(quote(node.words.join(' ')), node.field);
    case 'and':
      return grouped(compileAll(node.nodes), ' AND ');
    case 'or':
      return grouped(compileAll(node.nodes), ' OR ');
  }
}

function compileTerm(text: string): string | undefined {
  return grouped(
    [...new Set(wordVariants(text).map(compileVariant))].filter((variant) => variant !== undefined),
    ' OR ',
  );
}

function compileVariant(variant: Variant): string | undefined {
  if ('phrase' in variant) return quote(variant.phrase.join(' '));
  return grouped(
    variant.all
      .map((word) => ([...word].length === 1 ? prefixOf(word) : quote(word)))
      .filter((w) => w !== undefined),
    ' AND ',
  );
}

function prefixOf(text: string): string | undefined {
  const quoted = quote(text);
  return quoted && `${quoted} *`;
}

/** A quoted FTS5 string, or undefined when the tokenizer would find no word in it. */
function quote(text: string): string | undefined {
  const safe = text.replaceAll('\0', ' ');
  if (!/[\p{L}\p{N}\p{Co}]/u.test(safe)) return undefined;
  return `"${safe.replaceAll('"', '""')}"`;
}

function inField(text: string | undefined, field: 'title' | 'heading' | undefined): string | undefined {
  return text === undefined || field === undefined ? text : `${field} : (${text})`;
}

function grouped(parts: readonly string[], joint: ' AND ' | ' OR '): string | undefined {
  const text = joined(parts, joint);
  return parts.length > 1 ? `(${text!})` : text;
}

function joined(parts: readonly string[], joint: string): string | undefined {
  return parts.length === 0 ? undefined : parts.join(joint);
}
