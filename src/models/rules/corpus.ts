// The evidence for names in a set of documents, added up over documents. Only counts are kept, so documents can be
// added and removed in any order and the sum always matches those that are there.

import { blocksOf, isProse, syntaxOf } from './text/blocks.ts';
import { surveyBlocks } from './terms/candidates.ts';
import {
  addName,
  emptySurvey,
  EVIDENCE,
  type Candidate,
  type EvidenceKind,
  type Survey,
} from './terms/survey.ts';
import type { Counted } from './terms/features.ts';
import { normalKey, singularWord, splitWords } from './terms/keys.ts';
import { buildLexicon, type Lexicon } from './terms/lexicon.ts';
import { isManifest, readManifest } from './manifests/read.ts';

/** A survey as it is stored: counts by position, so that it is small. */
interface Stored {
  words: number;
  candidates: StoredCandidate[];
  short: [string, string][];
  /** Hashes of the words of the text, sorted: which names it may hold. */
  held?: number[];
}

type StoredCandidate = [
  key: string,
  names: (string | number)[],
  evidence: number[],
  kinds: (string | number)[],
  documents?: number,
];

export interface Corpus {
  words: number;
  candidates: Map<string, Counted>;
  /** Abbreviations and how many documents give them. */
  short: Map<string, number>;
}

export function surveyText(text: string, path: string): Uint8Array {
  const survey = surveyOf(text, path);
  const held = new Set<number>();
  for (const word of new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu)))
    held.add(hash(singularWord(word)));
  return encode({
    words: survey.words,
    candidates: [...survey.candidates].map(([key, candidate]) => pack(key, candidate)),
    short: [...survey.short],
    held: [...held].sort((a, b) => a - b),
  });
}

function surveyOf(text: string, path: string): Survey {
  if (!isManifest(path)) {
    if (!isProse(path)) return emptySurvey();
    const syntax = syntaxOf(path);
    return surveyBlocks(blocksOf(text, 1, syntax), syntax);
  }
  const survey = emptySurvey();
  const declared = readManifest(text, 1, path);
  for (const { name, kind } of declared?.things ?? [])
    if (kind !== 'package' && kind !== 'endpoint') addName(survey, name, 'node');
  for (const { name, of } of declared?.also ?? []) survey.short.set(normalKey(name), normalKey(of));
  return survey;
}

export function emptyCorpus(): Corpus {
  return { words: 0, candidates: new Map(), short: new Map() };
}

/** Adds a survey or a whole corpus to what there is, or takes it back. */
export function addSurvey(corpus: Corpus, bytes: Uint8Array, by: 1 | -1): void {
  const stored = decode(bytes);
  corpus.words += by * stored.words;
  for (const [key, names, evidence, kinds, documents = 1] of stored.candidates) {
    let candidate = corpus.candidates.get(key);
    if (!candidate)
      corpus.candidates.set(
        key,
        (candidate = { names: new Map(), evidence: {}, kinds: new Map(), documents: 0 }),
      );
    candidate.documents += by * documents;
    if (candidate.documents <= 0) {
      corpus.candidates.delete(key);
      continue;
    }
    addCounts(candidate.names, names, by);
    addCounts(candidate.kinds, kinds, by);
    for (let at = 0; at < evidence.length; at += 2) {
      const kind = EVIDENCE[evidence[at]!]!;
      const sum = (candidate.evidence[kind] ?? 0) + by * evidence[at + 1]!;
      if (sum > 0) candidate.evidence[kind] = sum;
      else delete candidate.evidence[kind];
    }
  }
  for (const pair of stored.short) addOne(corpus.short, pair.join('\n'), by);
}

function addCounts(counts: Map<string, number>, list: readonly (string | number)[], by: 1 | -1): void {
  for (let at = 0; at < list.length; at += 2)
    addOne(counts, list[at] as string, by * (list[at + 1] as number));
}

function addOne(counts: Map<string, number>, key: string, by: number): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum > 0) counts.set(key, sum);
  else counts.delete(key);
}

/** Words of a documentation that nobody reads from end to end. */
const LARGE = 100_000;

export function lexiconOf(corpus: Corpus, stated: { name: string; aliases: readonly string[] }[]): Lexicon {
  const short = new Map([...corpus.short.keys()].sort().map((pair) => pair.split('\n') as [string, string]));
  const { words } = corpus;
  return buildLexicon(corpus.candidates, short, stated, { words, large: words > LARGE });
}

export function saveCorpus(corpus: Corpus): Uint8Array {
  return encode({
    words: corpus.words,
    candidates: [...corpus.candidates].map(([key, candidate]) => pack(key, candidate, candidate.documents)),
    short: [...corpus.short].flatMap(([pair, count]) =>
      new Array<[string, string]>(count).fill(pair.split('\n') as [string, string]),
    ),
  });
}

export function openCorpus(bytes: Uint8Array): Corpus {
  const corpus = emptyCorpus();
  addSurvey(corpus, bytes, 1);
  return corpus;
}

function pack(key: string, candidate: Candidate, documents?: number): StoredCandidate {
  const evidence = Object.entries(candidate.evidence).flatMap(([kind, count]) => [
    EVIDENCE.indexOf(kind as EvidenceKind),
    count,
  ]);
  const packed: StoredCandidate = [key, [...candidate.names].flat(), evidence, [...candidate.kinds].flat()];
  if (documents !== undefined) packed.push(documents);
  return packed;
}

/** Whether a surveyed text may hold one of the names: all the words of one stand in it. */
export function mayHold(bytes: Uint8Array, names: readonly string[]): boolean {
  const held = new Set(decode(bytes).held);
  return names.some((name) =>
    splitWords(name).every((word) => held.has(hash(singularWord(word.toLowerCase())))),
  );
}

/** FNV-1a, 32 bits. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

function encode(stored: Stored): Uint8Array {
  return Buffer.from(JSON.stringify(stored));
}

function decode(bytes: Uint8Array): Stored {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as Stored;
}
