// Writes what the reranker sees: the first candidates of every query with their features and judgements.
// node training/features.ts --weights <file> --out <prefix> (--train <folder> | --eval <folder>) [--kinds headings,sentence]

import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { STOPWORDS } from '../src/domain/stopwords.ts';
import { embedIds } from '../src/models/builtin/embed.ts';
import { FEATURES, featuresOf } from '../src/models/builtin/features.ts';
import { readWeights, type Weights } from '../src/models/builtin/weights.ts';
import { developmentSets, evaluationSets, type Doc, type RetrievalSet } from './sets.ts';

const DEPTH = 100;
const POOL = 50;
const MEANING = 0.25;

type Scored = [id: number, score: number][];

function fullText({ title, headingPath, text }: Doc): string {
  return [...new Set([title ?? '', ...(headingPath ?? [])]), text].filter(Boolean).join(' ');
}

function wordIndex(docs: readonly Doc[]): (query: string) => Scored {
  const db = new DatabaseSync(':memory:');
  db.exec("create virtual table t using fts5(x, tokenize = 'porter unicode61')");
  const insert = db.prepare('insert into t(rowid, x) values (?, ?)');
  db.exec('begin');
  docs.forEach((doc, at) => insert.run(at, fullText(doc)));
  db.exec('commit');
  const select = db.prepare(
    'select rowid as id, -bm25(t) as score from t where t match ? order by score desc, id limit ?',
  );
  return (query) => {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
    const telling = words.filter((word) => !STOPWORDS.has(word));
    const match = (telling.length ? telling : words).map((word) => `"${word}"`).join(' OR ');
    if (!match) return [];
    return (select.all(match, DEPTH) as unknown as { id: number; score: number }[]).map((r) => [
      r.id,
      r.score,
    ]);
  };
}

function vectorIndex(weights: Weights, docs: readonly Doc[]): (query: string) => Scored {
  const embed = (text: string): Float32Array => {
    const ids = weights.tokenizer.encode(text);
    const vector = new Float32Array(weights.dimensions);
    embedIds(weights, ids, ids.length, vector);
    return vector;
  };
  const vectors = docs.map((doc) => embed(fullText(doc)));
  return (query) => {
    const asked = embed(query);
    return vectors
      .map((vector, at): [number, number] => {
        let sum = 0;
        for (let d = 0; d < asked.length; d++) sum += asked[d]! * vector[d]!;
        return [at, sum];
      })
      .sort((a, b) => b[1] - a[1])
      .slice(0, DEPTH);
  };
}

/** Between the last candidate and the best, as the engine scales. */
function scaled(hits: Scored): Map<number, number> {
  const low = hits.at(-1)?.[1] ?? 0;
  const span = (hits[0]?.[1] ?? 0) - low;
  return new Map(hits.map(([id, score]) => [id, span > 0 ? (score - low) / span : 1]));
}

interface Line {
  set: string;
  labels: number[];
  ideal: number[];
  words: number[];
  raw: { words: (number | null)[]; meaning: (number | null)[] };
}

function candidatesOf(
  set: RetrievalSet,
  weights: Weights,
  onQuery: (line: Line, rows: number[][]) => void,
): void {
  const byWords = wordIndex(set.docs);
  const byMeaning = vectorIndex(weights, set.docs);
  for (const { text, relevant } of set.queries) {
    const [found, near] = [byWords(text), byMeaning(text)];
    const [words, meaning] = [scaled(found), scaled(near)];
    const score = (id: number) => (1 - MEANING) * (words.get(id) ?? 0) + MEANING * (meaning.get(id) ?? 0);
    const pool = [...new Set([...words.keys(), ...meaning.keys()])]
      .sort((a, b) => score(b) - score(a))
      .slice(0, POOL);
    const candidates = pool.map((id) => ({
      ...set.docs[id]!,
      words: words.get(id),
      meaning: meaning.get(id),
    }));
    const gain = (id: number) => relevant.get(id) ?? 0;
    const [rawWords, rawMeaning] = [new Map(found), new Map(near)];
    const line: Line = {
      set: set.name,
      labels: pool.map(gain),
      ideal: [...relevant.values()].sort((a, b) => b - a).slice(0, 10),
      words: found.slice(0, 10).map(([id]) => gain(id)),
      raw: {
        words: pool.map((id) => rawWords.get(id) ?? null),
        meaning: pool.map((id) => rawMeaning.get(id) ?? null),
      },
    };
    onQuery(line, featuresOf(weights, text, candidates).rows);
  }
}

function mulberry(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const { values } = parseArgs({
  options: {
    weights: { type: 'string' },
    out: { type: 'string' },
    train: { type: 'string' },
    eval: { type: 'string' },
    kinds: { type: 'string' },
  },
});
const weights = readWeights(pathToFileURL(values.weights!));
const sets = values.train ? developmentSets(values.train, mulberry(7)) : evaluationSets(values.eval!);
const lines: Line[] = [];
const rows: number[] = [];
const kinds = values.kinds?.split(',');
for (const set of sets.filter(({ name }) => !kinds || kinds.includes(name.split('-')[0]!))) {
  const began = performance.now();
  candidatesOf(set, weights, (line, features) => {
    lines.push(line);
    for (const row of features) rows.push(...row);
  });
  const ms = ((performance.now() - began) / set.queries.length).toFixed(1);
  process.stdout.write(`${set.name}: ${set.queries.length} queries, ${ms} ms each\n`);
}
writeFileSync(`${values.out}.f32`, Float32Array.from(rows));
writeFileSync(`${values.out}.json`, JSON.stringify({ features: FEATURES, lines }));
