// Which fields a search index holds, how each is analysed, and the tokens of a document under that mapping.

import { findAnalyzer, type Analyzer } from './analyzers.ts';
import { planError } from './indexes.ts';
import { valuesAt } from '../storage/values.ts';
import type { Doc } from '../wire/framing.ts';

export interface Mapping {
  definition: Doc;
  /** Whether a path is indexed as the given type. */
  has(path: string, type: string): boolean;
  analyzer(path: string): Analyzer;
  searchAnalyzer(path: string): Analyzer;
  tokens(doc: Doc, path: string): string[];
}

const mappings = new WeakMap<Doc, Mapping>();

export function mappingOf(definition: Doc): Mapping {
  let mapping = mappings.get(definition);
  if (!mapping) mappings.set(definition, (mapping = createMapping(definition)));
  return mapping;
}

function createMapping(definition: Doc): Mapping {
  const cache = new WeakMap<Doc, Map<string, string[]>>();
  // Every field by itself: neither dynamic mappings nor fields inside fields are stood in for.
  const fields = (definition.mappings as Doc).fields as Record<string, Doc | Doc[]>;
  const specs = (path: string): Doc[] => [fields[path] ?? []].flat();
  const stringSpec = (path: string): Doc | undefined => specs(path).find((spec) => spec.type === 'string');
  const named = (name: unknown): Analyzer =>
    findAnalyzer(typeof name === 'string' ? name : 'lucene.standard', definition);
  const mapping: Mapping = {
    definition,
    has: (path, type) => specs(path).some((spec) => spec.type === type),
    analyzer: (path) => named(stringSpec(path)?.analyzer ?? definition.analyzer),
    searchAnalyzer: (path) =>
      named(
        stringSpec(path)?.searchAnalyzer ??
          definition.searchAnalyzer ??
          stringSpec(path)?.analyzer ??
          definition.analyzer,
      ),
    tokens: (doc, path) => {
      let perDoc = cache.get(doc);
      if (!perDoc) cache.set(doc, (perDoc = new Map()));
      let tokens = perDoc.get(path);
      if (!tokens) {
        tokens = mapping.has(path, 'string') ? stringsAt(doc, path).flatMap(mapping.analyzer(path)) : [];
        perDoc.set(path, tokens);
      }
      return tokens;
    },
  };
  return mapping;
}

function stringsAt(doc: Doc, path: string): string[] {
  return valuesAt(doc, path)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter((value): value is string => typeof value === 'string');
}

export function requireType(mapping: Mapping, path: string, type: string): void {
  if (!mapping.has(path, type)) throw planError(`Path '${path}' needs to be indexed as ${type}`);
}
