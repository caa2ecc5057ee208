// A hard stop on what an ingest may cost: checked before texts are sent, with the same estimate the client batches by.

import { VaiError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { Embedder } from '../../ports/embedder.ts';

export { estimateTokens };

export class Budget {
  readonly #pricePerMToken: number;
  readonly #limit: number | undefined;
  spent = 0;

  constructor(pricePerMToken: number, limit: number | undefined) {
    this.#pricePerMToken = pricePerMToken;
    this.#limit = limit;
  }

  reserve(tokens: number): void {
    const next = this.spent + (tokens / 1e6) * this.#pricePerMToken;
    if (this.#limit === undefined || next <= this.#limit) return;
    throw new VaiError(
      'COST_LIMIT',
      `Stopped: the next texts would bring the cost to $${next.toFixed(4)}, over the limit of $${this.#limit}.`,
      {
        hint: 'What was written stays. Raise --max-cost and run the same command again to go on.',
      },
    );
  }

  add(tokens: number): void {
    this.spent += (tokens / 1e6) * this.#pricePerMToken;
  }
}

export function cappedEmbedder(embedder: Embedder, budget: Budget): Embedder {
  if (!embedder.hosted) return embedder;
  return {
    ...embedder,
    async embed(texts, options) {
      budget.reserve(texts.reduce((sum, text) => sum + estimateTokens(text), 0));
      const answer = await embedder.embed(texts, options);
      budget.add(answer.tokens);
      return answer;
    },
  };
}
