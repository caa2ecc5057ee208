// A chunk is a line range of a document with its heading path: the unit that is ranked.

import type { LineRange } from './lines.ts';

export const CHUNK_STRATEGIES = ['fixed', 'sentence', 'paragraph', 'recursive', 'markdown'] as const;
export type ChunkStrategy = (typeof CHUNK_STRATEGIES)[number];

/**
 * How a collection is chunked. `blocks` is the profile of documentation and folders: within a heading block, at most
 * `size` characters, fences kept whole where they fit. The five named strategies are those of `vai_ingest`.
 */
export interface ChunkProfile {
  strategy: ChunkStrategy | 'blocks';
  /** Characters (JavaScript string length). */
  size: number;
  overlap: number;
}

export const BLOCK_PROFILE: ChunkProfile = { strategy: 'blocks', size: 1500, overlap: 0 };
export const INGEST_PROFILE: ChunkProfile = { strategy: 'recursive', size: 512, overlap: 50 };

export interface Chunk {
  /** Position in the document, from 0. */
  ordinal: number;
  startLine: number;
  endLine: number;
  /** UTF-16 offsets into the document's text: the exact piece, which may begin or end inside a long line. */
  start: number;
  end: number;
  /** Text put before the slice when it is shown or embedded: the heading that `markdown` repeats on every piece. */
  prefix?: string;
  headingPath: string[];
  /** Names it defines; there, if empty, wherever the chunk is source code, and nowhere else. */
  defines?: string[];
  /** Page of the file the chunk begins on, where the file has pages; from 1. */
  page?: number;
  /** The heading block around the chunk: heading line up to the line before the next heading of any level. */
  block: LineRange;
}

/** The text that is embedded, ranked and shown. */
export function chunkText(documentText: string, chunk: Pick<Chunk, 'start' | 'end' | 'prefix'>): string {
  return (chunk.prefix ?? '') + documentText.slice(chunk.start, chunk.end);
}
