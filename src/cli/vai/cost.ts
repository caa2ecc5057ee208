// What hosted calls of a command cost, on stderr, for those who set `show-cost`.

import type { Engine } from '../../engine/engine.ts';
import { dollars } from '../../tools/shared/text.ts';
import type { Frame } from '../frame.ts';

export async function showCost(
  frame: Frame,
  engine: Engine,
  used: readonly { model?: string | undefined; tokens: number }[],
): Promise<void> {
  if (!(await frame.settings()).showCost) return;
  const { models } = await engine.models.list(frame.call());
  const priced = used.flatMap(({ model, tokens }) => {
    const price = models.find(({ name }) => name === model)?.pricePerMToken ?? 0;
    return tokens > 0 && price > 0 ? [{ model, tokens, cost: (tokens / 1e6) * price }] : [];
  });
  const total = priced.reduce((sum, { cost }) => sum + cost, 0);
  const parts = priced.map(({ model, tokens }) => `${tokens} tokens of ${model}`);
  frame.note(frame.terminal.dim(`cost: ${dollars(total)}${parts.length ? ` (${parts.join(', ')})` : ''}`));
}
