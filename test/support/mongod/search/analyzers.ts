// Analysers of Atlas Search, as far as the store asks for them: built-in ones by name, and custom ones made of a
// tokenizer and token filters.

import { stem as porter } from '../../../../src/domain/stem.ts';
import type { Doc } from '../wire/framing.ts';

export type Analyzer = (text: string) => string[];

const STOP = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
);
const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’.][\p{L}\p{N}\p{M}_]+)*/gu;

const words = (text: string): string[] => text.match(WORD) ?? [];
const lower = (tokens: string[]): string[] => tokens.map((token) => token.toLowerCase());

const BUILTIN: Record<string, Analyzer> = {
  'lucene.standard': (text) => lower(words(text)),
  'lucene.simple': (text) => lower(text.match(/\p{L}+/gu) ?? []),
  'lucene.whitespace': (text) => text.split(/\s+/u).filter(Boolean),
  'lucene.keyword': (text) => [text],
  'lucene.english': (text) =>
    lower(words(text))
      .filter((token) => !STOP.has(token))
      .map(stem),
};

export function findAnalyzer(name: string, definition: Doc): Analyzer {
  const known = BUILTIN[name];
  if (known) return known;
  const custom = ((definition.analyzers ?? []) as Doc[]).find((analyzer) => analyzer.name === name);
  if (!custom) throw new Error(`unknown analyzer ${name}`);
  const tokenize = tokenizer(custom.tokenizer as Doc);
  const filters = ((custom.tokenFilters ?? []) as Doc[]).map(tokenFilter);
  return (text) => filters.reduce((tokens, filter) => filter(tokens), tokenize(text));
}

function tokenizer(spec: Doc): Analyzer {
  switch (spec.type) {
    case 'standard':
      return words;
    case 'whitespace':
      return (text) => text.split(/\s+/u).filter(Boolean);
    case 'keyword':
      return (text) => [text];
    case 'regexSplit': {
      const pattern = new RegExp(spec.pattern as string, 'u');
      return (text) => text.split(pattern).filter(Boolean);
    }
    case 'regexCaptureGroup': {
      const pattern = new RegExp(spec.pattern as string, 'gu');
      return (text) =>
        [...text.matchAll(pattern)].map((match) => match[spec.group as number] ?? '').filter(Boolean);
    }
    default:
      throw new Error(`unknown tokenizer ${String(spec.type)}`);
  }
}

function tokenFilter(spec: Doc): (tokens: string[]) => string[] {
  switch (spec.type) {
    case 'lowercase':
      return lower;
    case 'icuFolding':
    case 'asciiFolding':
      return (tokens) =>
        tokens.map((token) =>
          (spec.type === 'icuFolding' ? token.toLowerCase() : token)
            .normalize('NFD')
            .replaceAll(/\p{M}/gu, ''),
        );
    case 'stopword':
      return (tokens) => tokens.filter((token) => !(spec.tokens as string[]).includes(token));
    case 'length':
      return (tokens) =>
        tokens.filter(
          (t) => t.length >= ((spec.min as number) ?? 0) && t.length <= ((spec.max as number) ?? 255),
        );
    case 'porterStemming':
      return (tokens) => tokens.map(porter);
    case 'snowballStemming':
    case 'kStemming':
      return (tokens) => tokens.map(stem);
    default:
      throw new Error(`unknown token filter ${String(spec.type)}`);
  }
}

/** A light English stemmer: plural, -ing and -ed endings. Lucene's own are stronger. */
function stem(token: string): string {
  if (token.length < 4) return token;
  if (token.endsWith('ies')) return `${token.slice(0, -3)}y`;
  if (token.endsWith('ing') && token.length > 5) return token.slice(0, -3);
  if (token.endsWith('ed') && token.length > 4) return token.slice(0, -2);
  if (token.endsWith('es')) return token.slice(0, -2);
  return token.endsWith('s') && !token.endsWith('ss') ? token.slice(0, -1) : token;
}
