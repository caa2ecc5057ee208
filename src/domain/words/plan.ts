// A word query as the index reads it: leaves of terms that stand in a row, joined by AND and OR. Words are taken apart
// as texts are, so nothing a person types is ever syntax.

import type { WordNode, WordQuery } from '../query.ts';
import { STOPWORDS } from '../stopwords.ts';
import { wordVariants, type Variant } from '../variants.ts';
import { termsIn } from './tokens.ts';

/** The fields of a chunk, as the places of words name them. */
export const TITLE = 0;
export const HEADING = 1;
export const BODY = 2;
export const EXTRA = 3;
export const FIELDS = 4;

/** What a word counts in the title, the heading path, the body, and among split identifiers and CJK pairs. */
const WEIGHTS = [2, 2, 1, 0.5] as const;
/** `# text` asks for headings. */
const HEADING_BOOST = 3;
const MAX_UNITS = 64;
/** Of a phrase; a word with hundreds of hyphens is one. Its beginning finds it as well. */
export const MAX_TERMS = 24;

export interface Leaf {
  kind: 'leaf';
  /** In a row; one for a plain word. */
  terms: string[];
  /** The last term is the beginning of one. */
  prefix: boolean;
  /** By field; zero where the word does not count. */
  weights: readonly number[];
}

export type Plan = Leaf | { kind: 'and' | 'or'; parts: Plan[] };

export interface QueryPlan {
  should: Plan[];
  must: Plan[];
  not: Plan[];
}

/** Undefined when nothing is left to look for. */
export function planQuery(query: WordQuery): QueryPlan | undefined {
  const weights = WEIGHTS.map((weight, field) =>
    query.headings && (field === TITLE || field === HEADING) ? weight * HEADING_BOOST : weight,
  );
  const all = (nodes: readonly WordNode[]): Plan[] => planAll(nodes, weights);
  const must = all(query.must);
  const should = all(withoutStopwords(query.should, must.length > 0)).slice(0, MAX_UNITS);
  if (should.length === 0 && must.length === 0) return undefined;
  return { should, must, not: all(query.not) };
}

/** Words that say little are left out of the ranked OR, unless nothing else is there. */
export function withoutStopwords(nodes: readonly WordNode[], required: boolean): readonly WordNode[] {
  const telling = nodes.filter(
    (node) => node.kind !== 'term' || node.prefix || node.field || !STOPWORDS.has(node.text.toLowerCase()),
  );
  return telling.length > 0 || required ? telling : nodes;
}

/** Each once, however often it was typed. */
function planAll(nodes: readonly WordNode[], weights: readonly number[]): Plan[] {
  const plans = new Map<string, Plan>();
  for (const node of nodes) {
    const plan = planNode(node, weights);
    if (plan) plans.set(JSON.stringify(plan), plan);
  }
  return [...plans.values()];
}

function planNode(node: WordNode, weights: readonly number[]): Plan | undefined {
  switch (node.kind) {
    case 'term': {
      const within = inField(weights, node.field);
      return node.prefix ? leaf(node.text, within, true) : planTerm(node.text, within);
    }
    case 'phrase':
      return leaf(node.words.join(' '), inField(weights, node.field));
    case 'and':
    case 'or':
      return joined(node.kind, planAll(node.nodes, weights));
  }
}

function planTerm(text: string, weights: readonly number[]): Plan | undefined {
  const plans = wordVariants(text)
    .map((variant) => planVariant(variant, weights))
    .filter((plan) => plan !== undefined);
  const distinct = new Map(plans.map((plan) => [JSON.stringify(plan), plan]));
  return joined('or', [...distinct.values()]);
}

function planVariant(variant: Variant, weights: readonly number[]): Plan | undefined {
  if ('phrase' in variant) return leaf(variant.phrase.join(' '), weights);
  const parts = variant.all
    .map((word) => leaf(word, weights, [...word].length === 1))
    .filter((plan) => plan !== undefined);
  return joined('and', parts);
}

function leaf(text: string, weights: readonly number[], prefix = false): Leaf | undefined {
  const terms = termsIn(text).slice(0, MAX_TERMS);
  return terms.length === 0 ? undefined : { kind: 'leaf', terms, prefix, weights };
}

function inField(weights: readonly number[], field: 'title' | 'heading' | undefined): readonly number[] {
  if (field === undefined) return weights;
  const only = field === 'title' ? TITLE : HEADING;
  return weights.map((weight, at) => (at === only ? weight : 0));
}

function joined(kind: 'and' | 'or', parts: Plan[]): Plan | undefined {
  return parts.length > 1 ? { kind, parts } : parts[0];
}
