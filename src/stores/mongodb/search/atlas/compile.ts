// A word query as one compound of Atlas Search: the spellings, weights and rules of the embedded store, ranked by Lucene's
// BM25, whose score of a compound is documented as the sum of what its clauses give.

import type { Document } from 'mongodb';
import type { QueryField, WordNode, WordQuery } from '../../../../domain/query.ts';
import { stem } from '../../../../domain/stem.ts';
import { foldAccents } from '../../../../domain/text.ts';
import { wordVariants, type Variant } from '../../../../domain/variants.ts';
import { withoutStopwords } from '../../../../domain/words/plan.ts';
import { FOREIGN_PATHS, WORD_PATHS, type WordPath } from './definitions.ts';

const MAX_UNITS = 64;
/**
 * What having every word adds to a score. More than in the embedded store: Lucene measures how long each field is by
 * itself, and so takes more from a word in a long text.
 */
const ALL_WORDS_SHARE = 0.15;
/** More are hardly ever all in one chunk, and asking for that doubles the clauses, of which Lucene takes 1,024. */
const MAX_TOGETHER = 24;
/**
 * `# text` asks for headings. More than in the embedded store: Lucene counts how rare a word is per field, and a field
 * that few chunks have makes all its words look common.
 */
const HEADING_BOOST = 5;

export interface SearchedWhere {
  foreign: boolean;
  /** Clauses that hold for every hit and add nothing to its score. */
  filter: readonly Document[];
  mustNot: readonly Document[];
}

/** Undefined when nothing is left to look for. */
export function compileQuery(query: WordQuery, where: SearchedWhere): Document | undefined {
  const boost = query.headings ? HEADING_BOOST : 1;
  const paths = (field: QueryField | undefined): WordPath[] =>
    where.foreign ? foreignPaths(field) : weigh(field, boost);
  const compile = (nodes: readonly WordNode[]): Document[] =>
    nodes.map((node) => compileNode(node, paths)).filter((clause) => clause !== undefined);
  const must = compile(query.must);
  const mustNot = [...compile(query.not), ...where.mustNot];
  const should = compile(withoutStopwords(query.should, must.length > 0)).slice(0, MAX_UNITS);
  if (should.length === 0 && must.length === 0) return undefined;
  const { filter } = where;
  return {
    compound: {
      ...(must.length ? { must } : {}),
      // Beside a filter, no clause would have to match.
      ...(should.length
        ? { should: [...should, ...together(must, should)], minimumShouldMatch: must.length ? 0 : 1 }
        : {}),
      ...(mustNot.length ? { mustNot } : {}),
      ...(filter.length ? { filter } : {}),
    },
  };
}

/** A chunk that has everything gets that share of its score on top. */
function together(must: readonly Document[], should: readonly Document[]): Document[] {
  const all = [...must, ...should];
  if (all.length < 2 || all.length > MAX_TOGETHER) return [];
  return [{ compound: { must: all, score: { boost: { value: ALL_WORDS_SHARE } } } }];
}

function weigh(field: QueryField | undefined, boost: number): WordPath[] {
  const { title, heading, text, extra } = WORD_PATHS;
  const heads = [title, heading].map((entry) => ({ ...entry, weight: entry.weight * boost }));
  if (field === 'title') return [heads[0]!];
  if (field === 'heading') return [heads[1]!];
  return [...heads, text, extra];
}

/** A foreign chunk has neither title nor headings. */
function foreignPaths(field: QueryField | undefined): WordPath[] {
  return field ? [] : [...FOREIGN_PATHS];
}

type Paths = (field: QueryField | undefined) => WordPath[];

function compileNode(node: WordNode, paths: Paths): Document | undefined {
  switch (node.kind) {
    case 'term':
      return node.prefix ? prefix(node.text, paths(node.field)) : compileTerm(node.text, paths(node.field));
    case 'phrase':
      return phrase(node.words.join(' '), paths(node.field));
    case 'and':
    case 'or': {
      const parts = node.nodes.map((part) => compileNode(part, paths)).filter((part) => part !== undefined);
      if (parts.length === 0) return undefined;
      return node.kind === 'and' ? allOf(parts) : anyOf(parts);
    }
  }
}

function compileTerm(text: string, paths: WordPath[]): Document | undefined {
  const parts = wordVariants(text)
    .map((variant) => compileVariant(variant, paths))
    .filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : anyOf(parts);
}

function compileVariant(variant: Variant, paths: WordPath[]): Document | undefined {
  if ('phrase' in variant) return phrase(variant.phrase.join(' '), paths);
  const parts = variant.all
    .map((word) => ([...word].length === 1 ? prefix(word, paths) : phrase(word, paths)))
    .filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : allOf(parts);
}

function phrase(text: string, paths: WordPath[]): Document | undefined {
  if (!hasWord(text) || paths.length === 0) return undefined;
  return anyOf(
    paths.map(({ path, weight }) => ({ phrase: { query: text, path, score: { boost: { value: weight } } } })),
  );
}

/** The index holds stems without case and accents, and a pattern is compared with them as it stands. */
function prefix(text: string, paths: WordPath[]): Document | undefined {
  if (!hasWord(text) || paths.length === 0) return undefined;
  const words = foldAccents(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const last = stem(words.pop()!);
  const pattern = anyOf(
    paths.map(({ path, weight }) => ({
      wildcard: { query: `${last}*`, path, allowAnalyzedField: true, score: { boost: { value: weight } } },
    })),
  );
  const before = words.length ? phrase(words.join(' '), paths) : undefined;
  return before ? allOf([before, pattern]) : pattern;
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function anyOf(parts: readonly Document[]): Document {
  return parts.length === 1 ? parts[0]! : { compound: { should: parts, minimumShouldMatch: 1 } };
}

function allOf(parts: readonly Document[]): Document {
  return parts.length === 1 ? parts[0]! : { compound: { must: parts } };
}
