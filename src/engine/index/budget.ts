// A hard stop on what an ingest may cost: checked before texts are sent, with the same estimate the client batches by.

import { VaiError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { Embedder } from '../../ports/embedder.ts';

/** Told how many tokens were billed; undefined where the request failed. */
type SettleTokens = (billed: number | undefined) => void;

export class Budget {
  readonly #pricePerMToken: number;
  readonly #limit: number | undefined;
  /** Asked for and not yet billed: several requests run at once. */
  #pending = 0;
  spent = 0;

  constructor(pricePerMToken: number, limit: number | undefined) {
    this.#pricePerMToken = pricePerMToken;
    this.#limit = limit;
  }

  /** Sets money aside for texts about to be sent; the answer takes what they really cost, or nothing. */
  reserve(tokens: number): SettleTokens {
    const cost = this.#priceOf(tokens);
    const next = this.spent + this.#pending + cost;
    if (this.#limit !== undefined && next > this.#limit) {
      throw new VaiError(
        'COST_LIMIT',
        `Stopped: the next texts would bring the cost to $${next.toFixed(4)}, over the limit of $${this.#limit}.`,
        {
          hint: 'What was written is kept. Raise --max-cost and run the same command again to continue.',
        },
      );
    }
    this.#pending += cost;
    return (billed = 0) => {
      this.#pending -= cost;
      this.spent += this.#priceOf(billed);
    };
  }

  #priceOf(tokens: number): number {
    return (tokens / 1e6) * this.#pricePerMToken;
  }
}

/** Sends nothing that `reserve` refuses. */
export function cappedEmbedder(
  embedder: Embedder,
  reserve: (tokens: number) => SettleTokens | Promise<SettleTokens>,
): Embedder {
  if (!embedder.hosted) return embedder;
  return {
    ...embedder,
    async embed(texts, options) {
      const settle = await reserve(texts.reduce((sum, text) => sum + estimateTokens(text), 0));
      let billed: number | undefined;
      try {
        const answer = await embedder.embed(texts, options);
        billed = answer.tokens;
        return answer;
      } finally {
        settle(billed);
      }
    },
  };
}
