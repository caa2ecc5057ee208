// The search indexes vai creates: what they contain and how words are tokenised, so that both stores find the same
// words.

import type { Document } from 'mongodb';

/** Paths every vector index of ours can filter by. */
export const FILTER_FIELDS: readonly string[] = [
  'source',
  'metadata.source',
  'metadata.filename',
  'metadata.type',
  'metadata.model',
  'metadata.docId',
  'metadata.chunkIndex',
];

export function vectorDefinition({
  dimensions,
  field,
  filterFields,
}: {
  dimensions: number;
  field: string;
  filterFields: readonly string[];
}): Document {
  const filters = [...new Set([...FILTER_FIELDS, ...filterFields])];
  return {
    fields: [
      { type: 'vector', path: field, numDimensions: dimensions, similarity: 'cosine' },
      ...filters.map((path) => ({ type: 'filter', path })),
    ],
  };
}

export interface WordPath {
  path: string;
  weight: number;
}

/** Paths that hold words, with the weight of each: the same as in the embedded store. */
export const WORD_PATHS: Record<'title' | 'heading' | 'text' | 'extra', WordPath> = {
  title: { path: 'title', weight: 2 },
  heading: { path: 'heading', weight: 2 },
  text: { path: 'text', weight: 1 },
  extra: { path: 'extra', weight: 0.5 },
};

/** Where the original voyageai-cli puts its text. */
export const FOREIGN_PATHS: readonly WordPath[] = [
  { path: 'text', weight: 1 },
  { path: 'content', weight: 1 },
];

const ANALYZER = 'vai_words';

/** Words are runs of letters and digits, without case and accents, reduced to their stem. */
const ANALYZERS = [
  {
    name: ANALYZER,
    charFilters: [],
    tokenizer: { type: 'regexSplit', pattern: '[^\\p{L}\\p{N}\\p{M}]+' },
    tokenFilters: [{ type: 'icuFolding' }, { type: 'porterStemming' }],
  },
];
const WORDS = { type: 'string', analyzer: ANALYZER, searchAnalyzer: ANALYZER };

/** The index over the words of all collections. */
export function textDefinition(): Document {
  const paths = Object.values(WORD_PATHS).map(({ path }) => [path, WORDS] as const);
  const fields = { ...Object.fromEntries(paths), collection: { type: 'token' }, staged: { type: 'boolean' } };
  return { analyzers: ANALYZERS, mappings: { dynamic: false, fields } };
}

/** The index over a collection that ours did not write. */
export function foreignTextDefinition(): Document {
  const fields = Object.fromEntries(FOREIGN_PATHS.map(({ path }) => [path, WORDS]));
  return { analyzers: ANALYZERS, mappings: { dynamic: false, fields } };
}
