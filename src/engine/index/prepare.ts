// From a text to what a store writes: headings, chunks and words.

import type { Analysis } from '../../domain/analysis.ts';
import { chunkText } from '../../domain/chunk.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import type { ChunkWrite, DocumentWrite } from '../../ports/store.ts';
import type { TextWorker, WorkOptions } from '../../ports/worker.ts';
import { placeOf } from '../text/analyse.ts';
import { codeGist } from '../text/code/gist.ts';
import { codeWords } from '../text/code/words.ts';
import { fileName, pagesOf } from '../text/pages.ts';
import type { DocumentInput } from './types.ts';

/** Raised when a reader, the chunker or the words of a chunk change: what was indexed before is then indexed again. */
export const INDEX_VERSION = '8';

/** Older texts of a document, from which a citation of one is followed into the present text. */
const KEPT_VERSIONS = 10;

export interface Prepared {
  readonly input: DocumentInput;
  readonly write: DocumentWrite;
  /** What is embedded for each chunk: its heading path and its text. */
  readonly texts: readonly string[];
}

/** Finds headings, chunks and words of a text where that can be stopped. */
export async function prepareDocument(
  worker: TextWorker,
  call: WorkOptions,
  input: DocumentInput,
): Promise<Prepared> {
  const { read, title, profile } = input;
  const { text, syntax, headings, pages, symbols } = read;
  const analysed = { text, syntax, title: read.title, headings, pages, symbols };
  return assemble(
    input,
    await worker.analyse({ read: analysed, title, profile, maxChunks: input.maxChunks }, call),
  );
}

/** A document from its text and what was found in it. */
export function assemble(input: DocumentInput, analysis: Analysis): Prepared {
  const { text } = input.read;
  const chunks = analysis.chunks.map((chunk): ChunkWrite => ({
    ...chunk,
    text: chunkText(text, chunk),
    ...(input.read.symbols ? { words: codeWords(input.path, chunk) } : {}),
  }));
  const info: DocumentInfo = {
    collection: input.collection,
    path: input.path,
    title: analysis.title || fileName(input),
    sha256: analysis.sha256,
    ...(input.rawSha256 ? { rawSha256: input.rawSha256 } : {}),
    bytes: input.bytes ?? Buffer.byteLength(text),
    lines: analysis.lines,
    headings: analysis.windows ? 0 : analysis.headings.length,
    chunks: chunks.length,
    metadata: { ...input.read.metadata, ...input.metadata },
    ...(input.origin ? { origin: input.origin } : {}),
    fetchedAt: input.fetchedAt,
    indexedWith: {
      version: INDEX_VERSION,
      chunking: input.profile,
      ...(input.folder ? { folder: input.folder } : {}),
    },
  };
  const write: DocumentWrite = {
    info,
    text,
    headings: analysis.headings,
    chunks,
    pages: pagesOf({ info, text, headings: analysis.headings, chunks }),
    archive: { keep: KEPT_VERSIONS },
    ...(input.event ? { event: input.event } : {}),
  };
  let texts: string[] | undefined;
  return {
    input,
    write,
    // Made when asked for: words alone need none.
    get texts() {
      return (texts ??= chunks.map((chunk) =>
        input.read.symbols
          ? codeGist(input.path, chunk, input.read.symbols)
          : textOf(placeOf(analysis, chunk), chunk.text),
      ));
    },
  };
}

function textOf(place: readonly string[], text: string): string {
  const where = place.join(' > ');
  return where && text ? `${where}\n${text}` : where || text;
}
