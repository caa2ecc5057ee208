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
  /** Items dropped by validation (empty names, self relations, bad enum values). */
  dropped: number;
  inputTokens: number;
  outputTokens: number;
}

export interface Extractor {
  readonly provider: string;
  readonly model: string;
  /** Part of every cache key: changes when the prompt or the rules change. */
  readonly version: string;
  readonly hosted: boolean;
  /** US dollars per million tokens, where known: what a spend cap counts with. */
  readonly price?: { input: number; output: number };
  extract(input: ExtractInput, schema: GraphSchema, options: { signal?: AbortSignal }): Promise<Extraction>;
}
