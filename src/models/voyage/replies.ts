// Reads replies of the Voyage API. Nothing is taken on trust: places by index, one answer per input, expected length,
// finite numbers; anything else fails before it can be written anywhere.

import { VaiError } from '../../domain/errors.ts';

export interface Usage {
  tokens: number;
}

/** Vectors in the order of the inputs. */
export function readEmbeddings(
  body: unknown,
  expected: { count: number; length: number; named: boolean },
): Usage & { vectors: number[][] } {
  const data = listOf(body);
  if (data.length !== expected.count) throw misshapen(`${data.length} vectors for ${expected.count} texts`);
  const vectors = Array.from<number[] | undefined>({ length: expected.count });
  data.forEach((item, at) => {
    const { index, embedding } = item as { index?: unknown; embedding?: unknown };
    const place = index === undefined ? at : index;
    if (!isIndex(place, expected.count) || vectors[place] !== undefined)
      throw misshapen('vectors that name no text, or one twice');
    if (!Array.isArray(embedding) || !embedding.every((value) => Number.isFinite(value)))
      throw misshapen('something that is not a vector');
    if (embedding.length !== expected.length) throw wrongLength(embedding.length, expected);
    vectors[place] = embedding as number[];
  });
  return { vectors: vectors as number[][], tokens: tokensOf(body) };
}

export function readScores(body: unknown, count: number): Usage & { scores: number[] } {
  const data = listOf(body);
  if (data.length !== count) throw misshapen(`${data.length} scores for ${count} documents`);
  const scores = Array.from<number | undefined>({ length: count });
  for (const item of data) {
    const { index, relevance_score: score } = item as { index?: unknown; relevance_score?: unknown };
    if (!isIndex(index, count) || scores[index] !== undefined)
      throw misshapen('scores that name no document, or one twice');
    if (typeof score !== 'number' || !Number.isFinite(score)) throw misshapen('a score that is no number');
    scores[index] = Math.min(1, Math.max(0, score));
  }
  return { scores: scores as number[], tokens: tokensOf(body) };
}

function listOf(body: unknown): unknown[] {
  const data = (body as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || !data.every((item) => typeof item === 'object' && item !== null))
    throw misshapen('something that is not a list of results');
  return data;
}

function tokensOf(body: unknown): number {
  const tokens = (body as { usage?: { total_tokens?: unknown } }).usage?.total_tokens;
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? Math.round(tokens) : 0;
}

const isIndex = (value: unknown, count: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;

function misshapen(what: string): VaiError {
  return new VaiError('PROVIDER_BAD_ANSWER', `The Voyage API answered with ${what}.`, {
    hint: 'Nothing was written. Try again; if it repeats, check the address in VOYAGE_API_BASE.',
  });
}

function wrongLength(length: number, expected: { length: number; named: boolean }): VaiError {
  return new VaiError(
    'PROVIDER_BAD_REQUEST',
    `The Voyage API answered with vectors of ${length} dimensions instead of ${expected.length}.`,
    {
      hint: expected.named
        ? 'Nothing was written. Leave `dimensions` out, or name a length the model offers.'
        : `Nothing was written. vai does not know this model: name \`dimensions\` as ${length}.`,
    },
  );
}
