// From chosen passages to hits: the complete text of the lines each one cites, with what matches marked.

import { formatCitation } from '../../domain/citation.ts';
import { sourceOf } from '../../domain/document.ts';
import type { LineRange } from '../../domain/lines.ts';
import type { Store } from '../../ports/store.ts';
import { highlight, type Highlight } from './highlight.ts';
import type { Chosen } from './select.ts';
import type { Terms } from './terms.ts';
import type { SearchHit } from './types.ts';

/** Lines that are longer than this together, because a passage was taken out of a very long one, are not shown whole. */
const MAX_WHOLE = 8_000;
/** Lines at the ends of a passage say nothing where they are white space or such a comment. */
const COMMENT = /^<!--.{0,200}-->$/;

interface Shown {
  /** What to mark; undefined: nothing is marked. */
  terms: Terms | undefined;
  excerpt: number | undefined;
  /** Of each chosen hit. */
  relevance: readonly number[];
  similarity: ReadonlyMap<string, number>;
  /** Hits are blocks, which are shown from their first line to their last. */
  blocks: boolean;
}

const unmarked = (): Highlight => ({ matchLines: [], snippet: '' });

export async function toHits(
  store: Store,
  chosen: readonly Chosen[],
  { terms, excerpt, relevance, similarity, blocks }: Shown,
): Promise<SearchHit[]> {
  const texts = await wholeTexts(store, chosen, blocks);
  return chosen.map(({ candidates, score }, at) => {
    const { chunk, fused, rerank } = candidates[0]!;
    const { lines, text, partial } = texts[at]!;
    const marks = terms ? highlight(text, lines.start, terms, excerpt) : unmarked();
    const cosine = similarity.get(chunk.id);
    return {
      id: chunk.id,
      citation: formatCitation({
        collection: chunk.collection,
        path: chunk.path,
        ranges: [lines],
        hash: chunk.sha256,
      }),
      collection: chunk.collection,
      path: chunk.path,
      title: chunk.title,
      source: sourceOf(chunk.path) || chunk.origin || chunk.collection,
      ...(chunk.origin ? { origin: chunk.origin } : {}),
      headingPath: chunk.headingPath,
      lines,
      ...(chunk.page === undefined ? {} : { page: chunk.page }),
      ...(partial ? { partial } : {}),
      ...marks,
      text,
      score,
      relevance: relevance[at]!,
      ...(cosine === undefined ? {} : { similarity: cosine }),
      scores: { ...fused.scores, ...(rerank === undefined ? {} : { rerank }) },
      metadata: chunk.metadata,
      sha256: chunk.sha256,
      fetchedAt: chunk.fetchedAt,
      chunkIndex: chunk.ordinal,
      totalChunks: chunk.totalChunks,
    };
  });
}

interface Whole {
  lines: LineRange;
  text: string;
  /** The lines are longer than what is shown of them. */
  partial?: true;
}

/** The cited lines from their first to their last character; a passage may have been cut inside a long line. */
async function wholeTexts(store: Store, chosen: readonly Chosen[], blocks: boolean): Promise<Whole[]> {
  const texts = await store.documents.lines(
    chosen.map(({ candidates: [best], lines }) => ({
      collection: best!.chunk.collection,
      path: best!.chunk.path,
      lines,
    })),
  );
  return chosen.map(({ candidates: [best], lines }, at) => {
    const { chunk } = best!;
    const text = texts[at];
    if (blocks) return { lines, text: text ?? chunk.text };
    if (text !== undefined && text.length <= MAX_WHOLE) return trimmed(text, lines);
    return { lines: { start: chunk.startLine, end: chunk.endLine }, text: chunk.text, partial: true };
  });
}

/** Without lines at its ends that say nothing; what says nothing else stays as it is. */
function trimmed(text: string, { start, end }: LineRange): Whole {
  const all = text.split('\n');
  const first = all.findIndex(says);
  const last = all.findLastIndex(says);
  if (first === -1) return { lines: { start, end }, text };
  return { lines: { start: start + first, end: start + last }, text: all.slice(first, last + 1).join('\n') };
}

function says(line: string): boolean {
  const text = line.trim();
  return text !== '' && !COMMENT.test(text);
}
