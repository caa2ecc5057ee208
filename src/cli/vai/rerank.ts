// vai rerank: texts in order of relevance, as vai_rerank does.

import type { Command } from 'commander';
import { usage, type Frame } from '../frame.ts';
import { clip } from '../../tools/shared/text.ts';
import { printable } from '../terminal.ts';
import { showCost } from './cost.ts';
import { readInput } from './input.ts';

interface Options {
  model?: string;
  topK?: string;
  json?: boolean;
}

export function registerRerank(program: Command, frame: Frame): void {
  program
    .command('rerank')
    .description('order texts by relevance to a query')
    .argument('<query>', 'what to rank against')
    .argument('[document...]', 'the texts; without any, one per line of standard input')
    .option('--model <name>', 'reranker')
    .option('-k, --top-k <number>', 'show only the best')
    .option('--json', 'print JSON, in the shape of vai_rerank')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai rerank "reset a password" "Billing" "How to reset your password"\n  $ cat titles.txt | vai rerank "login" -k 5',
    )
    .action((query: string, documents: string[], options: Options) => run(frame, query, documents, options));
}

async function run(frame: Frame, query: string, given: string[], options: Options): Promise<void> {
  const documents = given.length ? given : (await readInput(frame)).split('\n').filter((line) => line.trim());
  if (documents.length > 1_000) throw usage('At most 1,000 documents can be ranked at once.');
  if (documents.length === 0)
    throw usage('There is nothing to rank.', 'Give texts as arguments, or pipe them in, one per line.');
  const engine = await frame.engine();
  const answer = await engine.models.rerank(frame.call(), { query, documents, model: options.model });
  await showCost(frame, engine, [answer]);
  const results = options.topK ? answer.results.slice(0, Number(options.topK)) : answer.results;
  if (frame.wantsJson(options)) return frame.printJson({ query, ...answer, results });
  const { terminal } = frame;
  const lines = results.map(
    ({ index, relevanceScore, document }) =>
      `${relevanceScore.toFixed(4)}  ${terminal.dim(`#${index}`)}  ${clip(printable(document).replaceAll(/\s+/g, ' '), terminal.width - 16)}`,
  );
  lines.push(terminal.dim(`${answer.model}, ${answer.tokens} tokens, ${answer.timeMs} ms`));
  frame.print([...lines, ...answer.warnings.map((warning) => terminal.yellow(warning))].join('\n'));
}
