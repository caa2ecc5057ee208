// Work on untrusted text, done in a separate process with limits on time and memory. Work that exceeds a limit fails
// with TIMEOUT or TOO_LARGE, and the next call is served as usual.

import type { Analysable, Analysis } from '../domain/analysis.ts';
import type { ChunkProfile } from '../domain/chunk.ts';
import type { ReadText } from '../domain/document.ts';
import type { GraphSchema } from '../domain/graph.ts';
import type { Symbols } from '../domain/symbols.ts';
import type { Extraction, ExtractInput, ExtractOptions, SurveyInput } from './extractor.ts';

export interface FileToRead {
  name: string;
  bytes: Uint8Array;
  profile: ChunkProfile;
}

export interface WorkOptions {
  /** Stops the work; also tells calls apart, which take turns. */
  signal?: AbortSignal;
}

export interface ReadHtmlPage {
  title: string;
  text: string;
  links: string[];
  keep: boolean;
}

export interface TextWorker {
  /** The text of a file and what is found in it. Format by name and content; refuses what it cannot read with a reason. */
  read(file: FileToRead, options: WorkOptions): Promise<{ read: ReadText; analysis: Analysis }>;
  /** Headings, chunks and words of a text. */
  analyse(text: Analysable, options: WorkOptions): Promise<Analysis>;
  /** What a text shows of the names of its corpus. */
  survey(input: SurveyInput, options: WorkOptions): Promise<Uint8Array>;
  /** What source code defines and names; null where no grammar reads it. */
  symbols(input: SurveyInput, options: WorkOptions): Promise<Symbols | null>;
  /** Entities and relations that the rules find. */
  extract(input: ExtractInput, schema: GraphSchema, options: ExtractOptions): Promise<Extraction>;
  /** An HTML page as Markdown, where it leads, and whether it may be kept. */
  page(html: string, options: WorkOptions): Promise<ReadHtmlPage>;
}
