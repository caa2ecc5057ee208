// What open models want before a text, so that they know a question from a passage. Vendors of hosted models have a
// field for it; models that people run themselves have words, printed on their model cards.

import type { EmbeddingRole } from '../../ports/embedder.ts';

const ASK = 'Represent this sentence for searching relevant passages: ';

const PREFIXES: [model: RegExp, query: string, document: string][] = [
  [/\be5-(?!mistral)(?!.*instruct)/i, 'query: ', 'passage: '],
  [/\bnomic-embed-text/i, 'search_query: ', 'search_document: '],
  [/\bembeddinggemma/i, 'task: search result | query: ', 'title: none | text: '],
  [
    /\bqwen3-embedding/i,
    'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
    '',
  ],
  [/\bsnowflake-arctic-embed-?(\w-)?(?:2|v2)/i, 'query: ', ''],
  [/\bsnowflake-arctic-embed|\bmxbai-embed-large|\bbge-(?:small|base|large)-en/i, ASK, ''],
];

export function prefixOf(model: string, role: EmbeddingRole): string {
  const found = PREFIXES.find(([pattern]) => pattern.test(model));
  if (!found) return '';
  return role === 'query' ? found[1] : found[2];
}
