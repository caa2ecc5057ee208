// Lists that name the place of each item, as embedding and rerank endpoints answer: every place once, none left out.

import { badAnswer } from './vectors.ts';

/** The items in the order of what was sent. An item without an index stands where it is. */
export function inPlace<T extends object>(items: unknown, count: number, service: string): T[] {
  if (!Array.isArray(items) || !items.every((item) => typeof item === 'object' && item !== null))
    throw badAnswer(service, 'something that is not a list of results');
  if (items.length !== count) throw badAnswer(service, `${items.length} results for ${count} texts`);
  const placed = Array.from<T | undefined>({ length: count });
  (items as (T & { index?: unknown })[]).forEach((item, at) => {
    const { index = at } = item;
    if (!isPlace(index, count) || placed[index] !== undefined)
      throw badAnswer(service, 'results that name no text, or one twice');
    placed[index] = item;
  });
  return placed as T[];
}

const isPlace = (value: unknown, count: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;

/** Tokens as `usage.total_tokens` counts them; 0 where the provider does not say. */
export function usedTokens(body: unknown): number {
  const tokens = (body as { usage?: { total_tokens?: unknown } } | null)?.usage?.total_tokens;
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? Math.round(tokens) : 0;
}
