// What the small files of a model say about it: how long its texts may be, how tokens become one vector, what it wants
// before a text, and its licence. None of them has to be there.

import { VaiError } from '../../domain/errors.ts';
import { isObject } from '../../domain/object.ts';
import type { Pooling } from './model.ts';
import { beside, type ModelSource } from './source.ts';

const MOST_BYTES = 256 * 1024;
/** What encoders read where no file says so. */
const USUAL_CONTEXT = 512;
/** Memory grows with the square of a text's length; chunks are shorter than this. */
const MOST_CONTEXT = 2_048;
/** A larger number stands for "unknown" in files of tokenizers. */
const BELIEVED = 1_000_000;

export interface About {
  contextTokens: number;
  pooling?: Pooling;
  prefixes?: { query: string; document: string };
  licence?: string;
  /** Whether a layer follows the pooling. */
  dense: boolean;
}

export async function readAbout(source: ModelSource, tokenizer: string, signal: AbortSignal): Promise<About> {
  const text = (file: string): Promise<string> => readSmall(source, beside(tokenizer, file), signal);
  const json = async (file: string): Promise<Record<string, unknown>> => {
    try {
      const value: unknown = JSON.parse(await text(file));
      return isObject(value) ? value : {};
    } catch {
      return {};
    }
  };
  const [sentence, tokens, config] = [
    await json('sentence_bert_config.json'),
    await json('tokenizer_config.json'),
    await json('config.json'),
  ];
  const lengths = [sentence['max_seq_length'], tokens['model_max_length'], config['max_position_embeddings']];
  const prompts = (await json('config_sentence_transformers.json'))['prompts'];
  return {
    contextTokens: Math.min(lengths.find(isLength) ?? USUAL_CONTEXT, MOST_CONTEXT),
    pooling: poolingOf(await json('1_Pooling/config.json')),
    prefixes: prefixesOf(prompts),
    licence: licenceOf(await text('README.md'), await text('LICENSE')),
    dense: (await text('modules.json')).includes('.Dense"'),
  };
}

/** Empty where there is none; of a long one the beginning. */
async function readSmall(source: ModelSource, path: string, signal: AbortSignal): Promise<string> {
  const found = await source.open(path, signal);
  if (!found) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of found.content) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= BELIEVED;

function poolingOf(config: Record<string, unknown>): Pooling | undefined {
  const on = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  if (on.length === 0) return undefined;
  if (on.length === 1 && on[0] === 'pooling_mode_cls_token') return 'cls';
  if (on.length === 1 && on[0] === 'pooling_mode_mean_tokens') return 'mean';
  throw new VaiError(
    'MODEL_UNSUPPORTED',
    `vai cannot pool as the model wants (${on.join(', ').slice(0, 200)}).`,
    {
      hint: 'Models that take the first token or the mean of all tokens work.',
    },
  );
}

function prefixesOf(prompts: unknown): About['prefixes'] {
  if (!isObject(prompts)) return undefined;
  const prompt = (...names: string[]): string => {
    const found = names.map((name) => prompts[name]).find((value) => typeof value === 'string');
    return typeof found === 'string' ? found.slice(0, 500) : '';
  };
  const prefixes = { query: prompt('query'), document: prompt('document', 'passage') };
  return prefixes.query || prefixes.document ? prefixes : undefined;
}

/** From the front matter of the model card, or the first line of the licence itself. */
function licenceOf(card: string, licence: string): string | undefined {
  const front = card.startsWith('---') ? card.slice(0, card.indexOf('\n---', 3)) : '';
  const stated = /^license:[ \t]*(\S.*)$/m.exec(front)?.[1] ?? licence.trimStart().split('\n')[0];
  return stated?.trim().slice(0, 80) || undefined;
}
