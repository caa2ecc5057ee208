// What the parts of the rules extractor pass between them.

import type { Cues } from './cues.ts';
import type { Lexicon } from './verbs.ts';

export interface RuleContext {
  cues: Cues;
  lexicon: Lexicon;
  /** Names typed so far in this text, lower-case spelling to type. */
  memory: Map<string, string>;
  /** Words the text writes with a capital inside a sentence: names even where they open one. */
  capitals: ReadonlySet<string>;
  /** What the headings and the title name, see `topicKey`. */
  topics: Set<string>;
  out: Collector;
}

export interface Collector {
  /** Adds a mention; the longest description of a name wins. An untyped name becomes OTHER. */
  entity(name: string, type: string | undefined, line: number, description?: string): void;
  relation(relation: FoundRelation): void;
}

export interface FoundRelation {
  source: { name: string; type: string | undefined };
  target: { name: string; type: string | undefined };
  type: string;
  line: number;
  endLine?: number;
  description?: string;
  keywords?: string[];
}

/** A piece of text with the line it starts on. */
export interface Piece {
  text: string;
  line: number;
}
