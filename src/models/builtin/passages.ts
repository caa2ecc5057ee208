// Passages the reranker has read, kept by their text: the same ones come back query after query, and most of the work on
// a passage does not depend on the query. Bounded in bytes; what was longest unused goes first.

import type { RerankCandidate } from '../../ports/reranker.ts';
import { createLexicon, type Lexicon } from './lexicon.ts';
import {
  blankPassage,
  createPassageReader,
  embedWindow,
  MAX_TEXT,
  windowsOf,
  type Passage,
} from './passage.ts';
import type { Weights } from './weights.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** Objects and headers beside the numbers of a passage. */
const OVERHEAD = 1_024;
const NOWHERE: readonly string[] = [];
/** Forgotten passages whose arrays are used again; none with long arrays. */
const MAX_SPARE = 256;
const MAX_SPARE_NUMBERS = 4_096;

export interface Kept extends Passage {
  /** Where the vectors of its windows begin in `vectors`; good until the next passage is read. */
  windows: number[];
}

export interface Passages {
  readonly lexicon: Lexicon;
  readonly vectors: Float32Array;
  /** Before anything of a query is numbered: passages and numbers are good until the next `begin`. */
  begin(): void;
  read(candidate: RerankCandidate): Kept;
}

interface Entry extends Kept {
  bytes: number;
}

export function createPassages(weights: Weights): Passages {
  const { dimensions } = weights;
  const lexicon = createLexicon();
  const fill = createPassageReader(weights, lexicon);
  const entries = new Map<string, Entry>();
  // Whoever takes a window also adds its bytes: as long as those are bounded, there is room.
  const vectors = new Float32Array(MAX_BYTES / 4);
  const free: number[] = [];
  let used = 0;
  let bytes = 0;
  /** The query that is being judged may still hold the forgotten ones. */
  let forgotten: Entry[] = [];
  const spare: Entry[] = [];

  function forget(entry: Entry): void {
    entries.delete(entry.text);
    bytes -= entry.bytes;
    for (const at of entry.windows) free.push(at);
    entry.windows.length = 0;
    if (forgotten.length < MAX_SPARE) forgotten.push(entry);
  }

  function takeWindow(): number {
    const freed = free.pop();
    if (freed !== undefined) return freed;
    used += dimensions;
    return used - dimensions;
  }

  function add(candidate: RerankCandidate): Entry {
    const entry = spare.pop() ?? { ...blankPassage(dimensions), windows: [], bytes: 0 };
    const ids = fill(candidate, entry);
    const windows = windowsOf(ids);
    entry.bytes = bytesOf(entry) + windows * dimensions * 4;
    for (const old of entries.values()) {
      if (bytes + entry.bytes <= MAX_BYTES) break;
      forget(old);
    }
    bytes += entry.bytes;
    for (let window = 0; window < windows; window++) {
      const at = takeWindow();
      embedWindow(weights, ids, window, vectors.subarray(at, at + dimensions));
      entry.windows.push(at);
    }
    entries.set(entry.text, entry);
    return entry;
  }

  return {
    lexicon,
    vectors,
    begin() {
      for (const entry of forgotten) if (spare.length < MAX_SPARE && isShort(entry)) spare.push(entry);
      forgotten = [];
      if (!lexicon.full) return;
      lexicon.clear();
      entries.clear();
      free.length = used = bytes = 0;
    },
    read(candidate) {
      const found = entries.get(candidate.text.slice(0, MAX_TEXT));
      if (!found) return add(candidate);
      const { title, headingPath = NOWHERE } = candidate;
      if (found.title === title && same(found.headingPath, headingPath)) {
        entries.delete(found.text);
        entries.set(found.text, found);
        return found;
      }
      // The same text somewhere else.
      forget(found);
      return add(candidate);
    },
  };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

function bytesOf({ text, numbers, distinct, whole }: Passage): number {
  return OVERHEAD + text.length * 2 + (numbers.length + distinct.length + whole.length) * 4;
}

function isShort({ numbers, distinct }: Passage): boolean {
  return numbers.length + distinct.length <= MAX_SPARE_NUMBERS;
}
