// $search: the operators the store uses, scored with BM25 as Lucene scores (k1 = 1.2, b = 0.75). A document matches an
// operator when its score is not null; filter and mustNot clauses add nothing to the score.

import { matches } from '../query/match.ts';
import { isDoc } from '../storage/values.ts';
import { planError, queryableDefinition } from './indexes.ts';
import { mappingOf, requireType, type Mapping } from './mappings.ts';
import { phraseFrequency, within } from './tokens.ts';
import type { Collection } from '../storage/collection.ts';
import type { Doc } from '../wire/framing.ts';

type Scorer = (doc: Doc) => number | null;

interface Corpus {
  docs: Doc[];
  mapping: Mapping;
}

const OPTIONS = new Set([
  'index',
  'count',
  'highlight',
  'concurrent',
  'returnStoredSource',
  'sort',
  'scoreDetails',
  'tracking',
]);

export function textSearch(collection: Collection, docs: Doc[], spec: Doc): { doc: Doc; score: number }[] {
  const operators = Object.keys(spec).filter((key) => !OPTIONS.has(key));
  if (operators.length !== 1) throw planError('$search needs exactly one operator');
  const definition = queryableDefinition(
    collection,
    typeof spec.index === 'string' ? spec.index : 'default',
    'search',
  );
  if (!definition) return [];
  const scorer = operator({ [operators[0]!]: spec[operators[0]!] }, { docs, mapping: mappingOf(definition) });
  return docs
    .flatMap((doc) => {
      const score = scorer(doc);
      return score === null ? [] : [{ doc, score }];
    })
    .sort((a, b) => b.score - a.score);
}

function operator(clause: Doc, corpus: Corpus): Scorer {
  const [[name, raw] = ['', {}]] = Object.entries(clause);
  if (!isDoc(raw)) throw planError(`"${name}" must be a document`);
  const score = OPERATORS[name];
  if (!score) throw planError(`unrecognized operator "${name}"`);
  return rescore(score(raw, corpus), raw.score);
}

function rescore(scorer: Scorer, score: unknown): Scorer {
  if (!isDoc(score)) return scorer;
  const boost = isDoc(score.boost) ? (score.boost.value as number) : 1;
  return (doc) => {
    const found = scorer(doc);
    return found === null ? null : found * boost;
  };
}

const OPERATORS: Record<string, (spec: Doc, corpus: Corpus) => Scorer> = {
  compound,
  text: (spec, corpus) => bestOf(paths(spec), (path) => textOn(path, spec, corpus)),
  phrase: (spec, corpus) => bestOf(paths(spec), (path) => phraseOn(path, spec, corpus)),
  wildcard: (spec, corpus) => bestOf(paths(spec), (path) => wildcardOn(path, spec, corpus)),
  equals: (spec, { mapping }) => valueTest(spec, mapping, { [spec.path as string]: spec.value }),
  in: (spec, { mapping }) =>
    valueTest(spec, mapping, { [spec.path as string]: { $in: [spec.value].flat() } }),
};

function compound(spec: Doc, corpus: Corpus): Scorer {
  const scorers = (key: string): Scorer[] =>
    ([spec[key] ?? []].flat() as Doc[]).map((clause) => operator(clause, corpus));
  const [must, should, filter, mustNot] = [
    scorers('must'),
    scorers('should'),
    scorers('filter'),
    scorers('mustNot'),
  ];
  const needed =
    (spec.minimumShouldMatch as number | undefined) ??
    (must.length || filter.length ? 0 : should.length ? 1 : 0);
  return (doc) => {
    let total = 0;
    for (const scorer of filter) if (scorer(doc) === null) return null;
    for (const scorer of mustNot) if (scorer(doc) !== null) return null;
    for (const scorer of must) {
      const score = scorer(doc);
      if (score === null) return null;
      total += score;
    }
    let matched = 0;
    for (const scorer of should) {
      const score = scorer(doc);
      if (score === null) continue;
      matched += 1;
      total += score;
    }
    return matched < needed ? null : total;
  };
}

function paths(spec: Doc): string[] {
  const list = [spec.path].flat();
  if (!list.every((path): path is string => typeof path === 'string'))
    throw planError('"path" must be a string');
  return list;
}

function bestOf(list: string[], make: (path: string) => Scorer): Scorer {
  const scorers = list.map(make);
  return (doc) => {
    let total: number | null = null;
    for (const scorer of scorers) {
      const score = scorer(doc);
      if (score !== null) total = (total ?? 0) + score;
    }
    return total;
  };
}

function textOn(path: string, spec: Doc, corpus: Corpus): Scorer {
  const fuzzy = isDoc(spec.fuzzy) ? spec.fuzzy : undefined;
  const edits = fuzzy ? ((fuzzy.maxEdits as number | undefined) ?? 2) : 0;
  const prefix = (fuzzy?.prefixLength as number | undefined) ?? 0;
  const analyze = corpus.mapping.searchAnalyzer(path);
  const terms = analyze(String(spec.query));
  const scorers = terms.map((term) =>
    termScorer(
      path,
      corpus,
      edits === 0 ? (token) => token === term : (token) => within(token, term, edits, prefix),
    ),
  );
  return (doc) => {
    const hits = scorers.map((scorer) => scorer(doc)).filter((score) => score !== null);
    return hits.length === 0 ? null : hits.reduce((sum, score) => sum + score, 0);
  };
}

function phraseOn(path: string, spec: Doc, corpus: Corpus): Scorer {
  const words = corpus.mapping.searchAnalyzer(path)(String(spec.query));
  return frequencyScorer(path, corpus, (tokens) => phraseFrequency(tokens, words));
}

function wildcardPattern(spec: Doc): RegExp {
  const pattern = String(spec.query).replaceAll(
    /\\(.)|[*?]|[^\\*?]+/gsu,
    (part: string, escaped: string | undefined) =>
      escaped !== undefined ? escape(escaped) : part === '*' ? '.*' : part === '?' ? '.' : escape(part),
  );
  return new RegExp(`^(?:${pattern})$`, 'su');
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A pattern is matched against terms; on an analysed field that must be asked for. */
function wildcardOn(path: string, spec: Doc, corpus: Corpus): Scorer {
  const pattern = wildcardPattern(spec);
  requireType(corpus.mapping, path, 'string');
  const keyword = corpus.mapping.analyzer(path)('a b').length === 1;
  if (!keyword && spec.allowAnalyzedField !== true)
    throw planError(`"${path}" is an analyzed field; set allowAnalyzedField to query it`);
  // A multi-term query has a constant score in Lucene.
  return (doc) => (corpus.mapping.tokens(doc, path).some((token) => pattern.test(token)) ? 1 : null);
}

function valueTest(spec: Doc, mapping: Mapping, filter: Doc): Scorer {
  const sample: unknown = [spec.value].flat()[0];
  if (typeof sample === 'string') requireType(mapping, spec.path as string, 'token');
  if (typeof sample === 'boolean') requireType(mapping, spec.path as string, 'boolean');
  return (doc) => (matches(doc, filter) ? 1 : null);
}

function termScorer(path: string, corpus: Corpus, same: (token: string) => boolean): Scorer {
  return frequencyScorer(path, corpus, (tokens) => {
    let count = 0;
    for (const token of tokens) if (same(token)) count += 1;
    return count;
  });
}

/** BM25 of one term or phrase on one field. */
function frequencyScorer(
  path: string,
  { docs, mapping }: Corpus,
  count: (tokens: string[]) => number,
): Scorer {
  let having = 0;
  let withTerm = 0;
  let length = 0;
  const frequencies = new Map<Doc, number>();
  for (const doc of docs) {
    const tokens = mapping.tokens(doc, path);
    if (tokens.length === 0) continue;
    having += 1;
    length += tokens.length;
    const frequency = count(tokens);
    if (frequency === 0) continue;
    withTerm += 1;
    frequencies.set(doc, frequency);
  }
  const average = having ? length / having : 1;
  const idf = Math.log(1 + (having - withTerm + 0.5) / (withTerm + 0.5));
  return (doc) => {
    const frequency = frequencies.get(doc);
    if (frequency === undefined) return null;
    const norm = 1.2 * (0.25 + (0.75 * mapping.tokens(doc, path).length) / average);
    return (idf * frequency) / (frequency + norm);
  };
}
