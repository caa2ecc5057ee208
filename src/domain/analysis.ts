// What is found in a text: its headings, chunks and words, from the text alone.

import type { Chunk, ChunkProfile } from './chunk.ts';
import type { Heading, ReadText } from './document.ts';

/** Most chunks of one document: about a book of 50 million characters. */
export const MAX_CHUNKS = 100_000;

/** Everything the result depends on. */
export interface Analysable {
  read: Pick<ReadText, 'text' | 'syntax' | 'title' | 'headings' | 'pages' | 'symbols'>;
  title?: string;
  profile: ChunkProfile;
  /** Refused beyond so many. */
  maxChunks?: number;
}

export interface AnalysedChunk extends Chunk {
  extraWords: string;
}

export interface Analysis {
  /** Empty where nothing names the text. */
  title: string;
  sha256: string;
  lines: number;
  /** True when `headings` are windows of lines: the text has none of its own. */
  windows: boolean;
  headings: Heading[];
  chunks: AnalysedChunk[];
}
