// From a text to what a store writes: headings, chunks, words and mentions. Pure, so that it is exact and quick to test.

import { createHash } from 'node:crypto';
import { chunkText, type Chunk } from '../../domain/chunk.ts';
import type { DocumentInfo, Heading } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import type { ChunkWrite, DocumentWrite } from '../../ports/store.ts';
import { chunkDocument } from './chunk/chunk.ts';
import { outline } from './headings.ts';
import { mentionKeys } from './mentions.ts';
import type { DocumentInput } from './types.ts';
import { extraWords } from './words.ts';

/** Longest text of one document, in characters. */
export const MAX_TEXT = 50_000_000;

export interface Prepared {
  write: DocumentWrite;
  /** What is embedded of each chunk: where it stands and what it says. */
  readonly texts: readonly string[];
}

export function prepareDocument(input: DocumentInput): Prepared {
  const { text, syntax } = input.read;
  if (text.length > MAX_TEXT) {
    throw new VaiError(
      'TOO_LARGE',
      `The text has ${text.length.toLocaleString('en')} characters; the most is 50,000,000.`,
    );
  }
  const structure = outline(text, syntax, input.read.headings);
  // Windows of lines are no headings, and a file name no title: neither says what a text is about.
  const named = input.title ?? input.read.title ?? (structure.windows ? '' : titleOf(structure.headings));
  const place = (chunk: Chunk): string[] => {
    if (structure.windows) return named ? [named] : [];
    return chunk.headingPath[0] === named || !named ? chunk.headingPath : [named, ...chunk.headingPath];
  };
  const chunks = chunkDocument({ text, outline: structure, profile: input.profile }).map(
    (chunk): ChunkWrite => {
      const piece = chunkText(text, chunk);
      return {
        ...chunk,
        text: piece,
        extraWords: extraWords(piece),
        mentions: mentionKeys(piece, structure.windows ? place(chunk) : chunk.headingPath),
      };
    },
  );
  const info: DocumentInfo = {
    collection: input.collection,
    path: input.path,
    title: named || lastSegment(input.path || input.collection),
    sha256: sha256(text),
    ...(input.rawSha256 ? { rawSha256: input.rawSha256 } : {}),
    bytes: input.bytes ?? Buffer.byteLength(text),
    lines: structure.lines.count,
    headings: structure.windows ? 0 : structure.headings.length,
    chunks: chunks.length,
    metadata: { ...input.read.metadata, ...input.metadata },
    ...(input.origin ? { origin: input.origin } : {}),
    fetchedAt: input.fetchedAt,
  };
  const write: DocumentWrite = {
    info,
    text,
    headings: structure.headings,
    chunks,
    ...(input.archive ? { archive: input.archive } : {}),
    ...(input.event ? { event: input.event } : {}),
  };
  let texts: string[] | undefined;
  return {
    write,
    // Made when asked for: words alone need none.
    get texts() {
      return (texts ??= chunks.map((chunk) =>
        [place(chunk).join(' > '), chunk.text].filter(Boolean).join('\n'),
      ));
    },
  };
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function titleOf(headings: readonly Heading[]): string {
  return (headings.find((heading) => heading.level === 1) ?? headings[0])?.text ?? '';
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
