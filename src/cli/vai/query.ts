// vai query: retrieve and rerank, as vai_query does.

import type { Command } from 'commander';
import { searchAnswer } from '../../tools/vai/hits.ts';
import { integer, list, type Frame } from '../frame.ts';
import { showCost } from './cost.ts';
import { show } from '../output.ts';
import { COLLECTIONS, formsOf, requestOf, withHits, type HitOptions } from './search.ts';

interface Options extends HitOptions {
  model?: string;
  rerank: boolean;
  rerankModel?: string;
  deadline?: number;
  maxTokens?: number;
}

export function registerQuery(program: Command, frame: Frame): void {
  const command = program
    .command('query')
    .description(
      'list the passages that answer a question, best first; writing the answer is left to your agent',
    )
    .argument('<question...>', 'the question')
    .option('-c, --collection <name>', COLLECTIONS, list)
    .option('--db <name>', 'database')
    .option('--model <name>', 'embedding model for the question')
    .option('--no-rerank', 'skip reranking')
    .option('--rerank-model <name>', 'another reranker')
    .option('--filter <json>', 'only documents whose metadata match')
    .option('--deadline <ms>', 'skip reranking after this long', integer('--deadline', 1, 45_000))
    .option(
      '--max-tokens <number>',
      'limit the text of all results to about this many tokens',
      integer('--max-tokens', 50, 100_000),
    );
  withHits(command, { most: 50, usual: 5 })
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai query "How does authentication work?"\n  $ vai query rate limits --collection api_docs -k 3 --json',
    )
    .action((words: string[], options: Options) => run(frame, words.join(' '), options));
}

async function run(frame: Frame, query: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const result = await engine.search.run(frame.call(), {
    ...requestOf(query, options),
    model: options.model,
    rerank: options.rerank && (options.rerankModel ?? true),
    deadlineMs: options.deadline,
    maxTokens: options.maxTokens,
    relations: true,
  });
  const format = show(frame, options, {
    json: searchAnswer(result, { rerank: true }).structured,
    ...formsOf(frame, result),
  });
  if (format !== 'json' && result.hits.length === 0) frame.fail(3);
  await showCost(frame, engine, [
    { model: result.model, tokens: result.tokens.embed },
    { model: result.rerankModel, tokens: result.tokens.rerank },
  ]);
}
