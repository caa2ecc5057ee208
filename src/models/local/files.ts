// Opens the files of a model that lie in a folder of ours.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOKENIZER, TOKENIZER_CONFIG, WEIGHTS } from './kept.ts';
import { openModel, type OpenModel, type Pooling } from './model.ts';
import { openNetwork, type OnnxRuntime } from './runtime.ts';

export async function openFiles(
  runtime: OnnxRuntime,
  folder: string,
  { contextTokens, pooling }: { contextTokens: number; pooling: Pooling },
): Promise<OpenModel> {
  const json = async (file: string): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, unknown>;
  const { createTokens } = await import('./tokens.ts');
  const config = existsSync(join(folder, TOKENIZER_CONFIG)) ? await json(TOKENIZER_CONFIG) : {};
  const tokens = createTokens(await json(TOKENIZER), config, contextTokens);
  return openModel(await openNetwork(runtime, join(folder, WEIGHTS)), tokens, pooling);
}
