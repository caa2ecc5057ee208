// What finds entities and relations in a chunk of text, within a schema.

import type { EntityMention, GraphSchema, RelationMention } from '../domain/graph.ts';

export interface ExtractInput {
  text: string;
  headingPath: string[];
  /** Line number of the text's first line in its document. */
  startLine: number;
  path: string;
}

export interface Extraction {
  entities: EntityMention[];
  relations: RelationMention[];
  inputTokens: number;
  outputTokens: number;
}

export interface Extractor {
  readonly provider: string;
  readonly model: string;
  /** Part of every cache key: changes when the prompt or the rules change. */
  readonly version: string;
  readonly hosted: boolean;
  /** Set where names are learned from a whole corpus: then `extract` is given what all of it shows. */
  readonly corpus?: CorpusReader;
  /** US dollars per million tokens, where known: what a spend cap counts with. */
  readonly price?: { input: number; output: number };
  extract(input: ExtractInput, schema: GraphSchema, options: ExtractOptions): Promise<Extraction>;
}

export interface ExtractOptions {
  signal?: AbortSignal;
  /** Of the corpus the text belongs to; without it the text is all there is. */
  knowledge?: Pick<Knowledge, 'id' | 'bytes'>;
}

export type SurveyInput = Pick<ExtractInput, 'text' | 'path'>;

/** Reads a corpus before its documents: what each shows is kept, added up, and taken back when it goes. */
export interface CorpusReader {
  /** What one document shows, to be kept under the hash of its text. */
  survey(input: SurveyInput, options: { signal?: AbortSignal }): Promise<Uint8Array>;
  /** A corpus with nothing in it, or as it was saved. */
  open(saved?: Uint8Array): CorpusSum;
}

export interface CorpusSum {
  add(survey: Uint8Array): void;
  /** For a survey that was added before. */
  remove(survey: Uint8Array): void;
  save(): Uint8Array;
  knowledge(schema: GraphSchema): Knowledge;
}

/** What a corpus decided, for `extract`; the same sum of surveys and schema give the same. */
export interface Knowledge {
  /** Names the bytes: what was opened once need not be opened again. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** Tells by their surveys which documents would be read differently than with what was saved; undefined: none. */
  differs(saved: Uint8Array): ((survey: Uint8Array) => boolean) | undefined;
}
