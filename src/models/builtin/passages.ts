// Passages the reranker has read, kept by their text: the same ones come back query after query, and most of the work on
// a passage does not depend on the query. Bounded in bytes; what was longest unused goes first.

import type { RerankCandidate } from '../../ports/reranker.ts';
import { createLexicon, type Lexicon } from './lexicon.ts';
import { MAX_TEXT, readPassage, type Passage } from './passage.ts';
import type { Weights } from './weights.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** Objects and headers beside the numbers of a passage. */
const OVERHEAD = 1_024;

export interface Passages {
  /** Numbers are good until the next `begin`. */
  readonly lexicon: Lexicon;
  /** Before anything of a query is numbered: the only moment at which numbers are given up. */
  begin(): void;
  get(candidate: RerankCandidate): Passage;
}

interface Kept {
  passage: Passage;
  title: string | undefined;
  headingPath: readonly string[];
  bytes: number;
}

const NOWHERE: readonly string[] = [];

export function createPassages(weights: Weights): Passages {
  const lexicon = createLexicon();
  const kept = new Map<string, Kept>();
  let bytes = 0;

  function keep(text: string, made: Kept): void {
    bytes += made.bytes;
    kept.set(text, made);
    for (const [oldest, old] of kept) {
      if (bytes <= MAX_BYTES) return;
      kept.delete(oldest);
      bytes -= old.bytes;
    }
  }

  return {
    lexicon,
    begin() {
      if (!lexicon.full) return;
      lexicon.clear();
      kept.clear();
      bytes = 0;
    },
    get(candidate) {
      const { title, headingPath = NOWHERE } = candidate;
      const text = candidate.text.slice(0, MAX_TEXT);
      const found = kept.get(text);
      if (found) {
        kept.delete(text);
        if (found.title === title && same(found.headingPath, headingPath)) {
          kept.set(text, found);
          return found.passage;
        }
        // The same text somewhere else.
        bytes -= found.bytes;
      }
      const passage = readPassage(weights, lexicon, candidate);
      keep(text, { passage, title, headingPath: [...headingPath], bytes: bytesOf(text, passage) });
      return passage;
    },
  };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

function bytesOf(text: string, { words, distinct, vectors }: Passage): number {
  const numbers = words.words.length * 2 + distinct.length + vectors.length;
  return OVERHEAD + text.length * 2 + numbers * 4;
}
