// Texts as the token ids a model reads, cut to what it can read. The tokenizer is data of the model (`tokenizer.json`).

import * as tokenizers from '@huggingface/tokenizers';
import type { Encoded } from './runtime.ts';

/** The part of the package that is used; its own types are written for bundlers and do not resolve here. */
interface Tokenizer {
  encode(
    text: string,
    options?: { text_pair?: string; add_special_tokens?: boolean; return_token_type_ids?: boolean },
  ): { ids: number[]; token_type_ids?: number[] };
  token_to_id(token: string): number | undefined;
}

const { Tokenizer } = tokenizers as unknown as {
  Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
};

/** No token of any tokenizer stands for more characters on average; what is behind so many is never read. */
const CHARACTERS_PER_TOKEN = 24;

export interface Tokens {
  padId: number;
  /** A text, or a question with a passage. What is too long loses its end, not the marker after it. */
  encode(text: string, passage?: string): Encoded;
}

export function createTokens(
  tokenizer: Record<string, unknown>,
  config: Record<string, unknown>,
  contextTokens: number,
): Tokens {
  const inner = new Tokenizer(tokenizer, config);
  const limit = contextTokens * CHARACTERS_PER_TOKEN;
  const after = markersAfter(inner);
  return {
    padId: padIdOf(inner, config),
    encode(text, passage) {
      const { ids, token_type_ids: types = [] } = inner.encode(text.slice(0, limit), {
        ...(passage === undefined ? {} : { text_pair: passage.slice(0, limit) }),
        return_token_type_ids: true,
      });
      if (ids.length <= contextTokens) return { ids, types };
      const kept = contextTokens - after;
      const fit = (all: number[]): number[] => [...all.slice(0, kept), ...all.slice(all.length - after)];
      return { ids: fit(ids), types: fit(types) };
    },
  };
}

/** How many markers end a text. */
function markersAfter(tokenizer: Tokenizer): number {
  const plain = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const marked = tokenizer.encode('a').ids;
  const last = marked.lastIndexOf(plain.at(-1) ?? -1);
  return last < 0 ? 0 : marked.length - 1 - last;
}

function padIdOf(tokenizer: Tokenizer, config: Record<string, unknown>): number {
  const named = [config['pad_token'], '[PAD]', '<pad>'].map((token) =>
    typeof token === 'string' ? tokenizer.token_to_id(token) : undefined,
  );
  return named.find((id) => id !== undefined) ?? 0;
}
