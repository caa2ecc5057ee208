// A document: one text with its exact lines, heading tree and origin.

import type { ChunkProfile } from './chunk.ts';
import type { LineRange } from './lines.ts';
import type { Symbols } from './symbols.ts';

export interface Heading {
  level: number;
  /** Display form: links reduced to their label, markup removed, entities decoded. */
  text: string;
  /** From the outermost heading down to this one. */
  path: string[];
  /** The heading's own line. */
  line: number;
  /** Heading line up to the line before the next heading of any level. */
  block: LineRange;
  /** Heading line up to the line before the next heading of the same or a higher rank. */
  section: LineRange;
  /** URL-safe, stable across edits elsewhere, different for repeated headings. */
  anchor: string;
}

export type MetadataValue =
  string | number | boolean | null | MetadataValue[] | { [key: string]: MetadataValue };
export type Metadata = Record<string, MetadataValue>;

/** What a document's chunks, vectors and graph were made with; a run with other settings makes them again. */
export interface IndexedWith {
  /** Changes when the same file and profile would give another text, other chunks or other words. */
  version: string;
  chunking: ChunkProfile;
  /** Embedding model; none where the document is searched by words alone. */
  model?: string;
  /** Fingerprint of the graph's schema, and the extractor that read the text. */
  graph?: { schema: string; extractor: string };
  /** Fingerprint of the folder the file was found in. */
  folder?: string;
}

/** What is known of a document without its text. */
export interface DocumentInfo {
  collection: string;
  /** Inside the collection, `/` separated; empty for a source that is one file. */
  path: string;
  title: string;
  /** SHA-256 (hex) of the text as stored: what a pinned citation names by its first digits. */
  sha256: string;
  /** SHA-256 (hex) of the raw bytes it was read from, where it came from bytes. */
  rawSha256?: string;
  bytes: number;
  lines: number;
  headings: number;
  chunks: number;
  /** User metadata and front matter; what filters see under `metadata.` */
  metadata: Metadata;
  /** Page or file the text came from, as shown to a person. */
  origin?: string;
  /** ISO time of the read that gave this text. */
  fetchedAt: string;
  /** Chunks without vector or extraction because a provider failed; retried on the next run. */
  partial?: boolean;
  indexedWith?: IndexedWith;
}

const APPENDED = /#append-[0-9a-f]{8}$/;

/** The path of a text that is stored next to others of the same source. */
export function appendedPath(source: string, sha256: string): string {
  return `${source}#append-${sha256.slice(0, 8)}`;
}

/** The name a document was given by whoever added it: what is shown and filtered as `source`. */
export function sourceOf(path: string): string {
  return path.replace(APPENDED, '');
}

/** A text before it is chunked: what a reader returns and an ingest takes. */
export interface ReadText {
  text: string;
  /** `markdown` has headings and fences; `plain` has neither; `code` is source code. */
  syntax: 'markdown' | 'plain' | 'code';
  title?: string;
  metadata?: Metadata;
  /** Headings found by a reader whose format is not Markdown (HTML, reStructuredText, PDF pages). */
  headings?: { level: number; text: string; line: number }[];
  /** What source code defines and names. */
  symbols?: Symbols;
  /** The line each page begins on, in order, where the file has pages. */
  pages?: number[];
  /** What the reader had to do: replaced bytes, dropped parts. */
  notices?: string[];
}
