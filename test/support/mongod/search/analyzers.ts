// Analysers of Atlas Search, as far as the store asks for them: the built-in standard one, and custom ones made of a
// tokenizer and token filters.

import { stem } from '../../../../src/domain/stem.ts';
import type { Doc } from '../wire/framing.ts';

export type Analyzer = (text: string) => string[];

const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’.][\p{L}\p{N}\p{M}_]+)*/gu;

const standard: Analyzer = (text) => (text.match(WORD) ?? []).map((token) => token.toLowerCase());

export function findAnalyzer(name: string, definition: Doc): Analyzer {
  if (name === 'lucene.standard') return standard;
  const custom = ((definition.analyzers ?? []) as Doc[]).find((analyzer) => analyzer.name === name);
  if (!custom) throw new Error(`unknown analyzer ${name}`);
  const tokenize = tokenizer(custom.tokenizer as Doc);
  const filters = ((custom.tokenFilters ?? []) as Doc[]).map(tokenFilter);
  return (text) => filters.reduce((tokens, filter) => filter(tokens), tokenize(text));
}

function tokenizer(spec: Doc): Analyzer {
  if (spec.type !== 'regexSplit') throw new Error(`unknown tokenizer ${String(spec.type)}`);
  const pattern = new RegExp(spec.pattern as string, 'u');
  return (text) => text.split(pattern).filter(Boolean);
}

function tokenFilter(spec: Doc): (tokens: string[]) => string[] {
  switch (spec.type) {
    case 'icuFolding':
      return (tokens) =>
        tokens.map((token) => token.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, ''));
    case 'porterStemming':
      return (tokens) => tokens.map(stem);
    default:
      throw new Error(`unknown token filter ${String(spec.type)}`);
  }
}
