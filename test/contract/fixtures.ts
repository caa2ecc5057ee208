// What the contract tests write: small documents cut at blank lines, made without the engine.

import { createHash } from 'node:crypto';
import { BLOCK_PROFILE } from '../../src/domain/chunk.ts';
import type { Collection } from '../../src/domain/collection.ts';
import type { Metadata } from '../../src/domain/document.ts';
import { indexLines, lineAt } from '../../src/domain/lines.ts';
import type { WordNode, WordQuery } from '../../src/domain/query.ts';
import type { GraphWrites } from '../../src/ports/graph-store.ts';
import type { ChunkWrite, DocumentWrite, Store } from '../../src/ports/store.ts';

export const MODEL = 'test-embed';
export const DIMENSIONS = 64;

export function collection(name: string, more: Partial<Collection> = {}): Collection {
  return {
    name,
    chunking: BLOCK_PROFILE,
    embedding: { model: MODEL, dimensions: DIMENSIONS },
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

export interface Draft {
  collection?: string;
  path: string;
  text: string;
  title?: string;
  metadata?: Metadata;
  /** One per chunk: blocks of text between blank lines. */
  headings?: string[][];
  extraWords?: string[];
  vectors?: (Float32Array | undefined)[];
  graph?: GraphWrites[];
  fetchedAt?: string;
  more?: Partial<DocumentWrite>;
}

export function document(draft: Draft): DocumentWrite {
  const chunks = cut(draft);
  const text = draft.text;
  return {
    info: {
      collection: draft.collection ?? 'docs',
      path: draft.path,
      title: draft.title ?? draft.path,
      sha256: sha256(text),
      bytes: Buffer.byteLength(text),
      lines: indexLines(text).count,
      headings: 0,
      chunks: chunks.length,
      metadata: draft.metadata ?? {},
      fetchedAt: draft.fetchedAt ?? '2026-01-02T03:04:05.000Z',
    },
    text,
    headings: [],
    chunks,
    ...draft.more,
  };
}

function cut(draft: Draft): ChunkWrite[] {
  const lines = indexLines(draft.text);
  const chunks: ChunkWrite[] = [];
  for (const match of draft.text.matchAll(/[^\n]+(?:\n[^\n]+)*/g)) {
    const ordinal = chunks.length;
    const start = match.index;
    const end = start + match[0].length;
    const range = { start: lineAt(lines, start), end: lineAt(lines, end - 1) };
    const vector = draft.vectors?.[ordinal];
    chunks.push({
      ordinal,
      startLine: range.start,
      endLine: range.end,
      start,
      end,
      headingPath: draft.headings?.[ordinal] ?? [],
      block: range,
      text: match[0],
      extraWords: draft.extraWords?.[ordinal] ?? '',
      ...(vector ? { vector } : {}),
      ...draft.graph?.[ordinal],
    });
  }
  return chunks;
}

/** Takes down the names of a document's chunks, one list for each. */
export async function nameChunks(
  store: Store,
  { collection = 'docs', path }: { collection?: string; path: string },
  names: string[][],
): Promise<void> {
  const chunks = await store.documents.chunks(collection, path);
  await store.graph.name(new Map(chunks.map(({ id }, at) => [id, names[at] ?? []])));
}

/** How many chunks of the scope hold each name. */
export async function mentionCounts(
  store: Store,
  keys: readonly string[],
  scope?: readonly string[],
): Promise<Map<string, number>> {
  const found = await store.graph.chunksWithMentions(keys, { scope, limit: 1_000 });
  return new Map([...found].map(([key, ids]) => [key, ids.length]));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A unit vector between two axes: 0 is the first, 1 the second. */
export function vector(angle: number, dimensions = DIMENSIONS): Float32Array {
  const made = new Float32Array(dimensions);
  made[0] = Math.cos((angle * Math.PI) / 2);
  made[1] = Math.sin((angle * Math.PI) / 2);
  return made;
}

export function term(text: string, more: Partial<Extract<WordNode, { kind: 'term' }>> = {}): WordNode {
  return { kind: 'term', text, ...more };
}

export function phrase(words: string, field?: 'title' | 'heading'): WordNode {
  return { kind: 'phrase', words: words.split(' '), ...(field ? { field } : {}) };
}

export function query(should: (WordNode | string)[], more: Partial<WordQuery> = {}): WordQuery {
  return {
    should: should.map((node) => (typeof node === 'string' ? term(node) : node)),
    must: [],
    not: [],
    headings: false,
    notices: [],
    ...more,
  };
}
