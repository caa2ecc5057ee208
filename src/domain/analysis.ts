// What is found in a text: its headings, chunks and words, from the text alone.

import type { Chunk, ChunkProfile } from './chunk.ts';
import type { Heading, ReadText } from './document.ts';

/** Everything the result depends on. */
export interface Analysable {
  read: Pick<ReadText, 'text' | 'syntax' | 'title' | 'headings' | 'pages'>;
  title?: string;
  profile: ChunkProfile;
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
