// Which fields a search index holds, how each is analysed, and the tokens of a document under that mapping.

import { findAnalyzer, type Analyzer } from './analyzers.ts';
import { planError } from './indexes.ts';
import { isDoc, valuesAt } from '../storage/values.ts';
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
const DYNAMIC = new Set(['string', 'number', 'boolean', 'date', 'objectId', 'uuid']);

export function mappingOf(definition: Doc): Mapping {
  let mapping = mappings.get(definition);
  if (!mapping) mappings.set(definition, (mapping = createMapping(definition)));
  return mapping;
}

function createMapping(definition: Doc): Mapping {
  const cache = new WeakMap<Doc, Map<string, string[]>>();
  const root = definition.mappings as Doc;
  const specs = (path: string): Doc[] | 'dynamic' | undefined => {
    let at: Doc = root;
    const parts = path.split('.');
    for (const [depth, part] of parts.entries()) {
      const fields = isDoc(at.fields) ? at.fields : {};
      const found = fields[part];
      if (found === undefined) return at.dynamic ? 'dynamic' : undefined;
      const list = (Array.isArray(found) ? found : [found]) as Doc[];
      if (depth === parts.length - 1) return list;
      const inner = list.find((spec) => spec.type === 'document' || spec.type === 'embeddedDocuments');
      if (!inner) return undefined;
      at = inner;
    }
    return undefined;
  };
  const stringSpec = (path: string): Doc | undefined => {
    const found = specs(path);
    return Array.isArray(found) ? found.find((spec) => spec.type === 'string') : undefined;
  };
  const named = (name: unknown): Analyzer =>
    findAnalyzer(typeof name === 'string' ? name : 'lucene.standard', definition);
  const mapping: Mapping = {
    definition,
    has: (path, type) => {
      const found = specs(path);
      return found === 'dynamic' ? DYNAMIC.has(type) : (found ?? []).some((spec) => spec.type === type);
    },
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

export function stringsAt(doc: Doc, path: string): string[] {
  return valuesAt(doc, path)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter((value): value is string => typeof value === 'string');
}

export function requireType(mapping: Mapping, path: string, type: string): void {
  if (!mapping.has(path, type)) throw planError(`Path '${path}' needs to be indexed as ${type}`);
}
