// vai eval: how well each mode answers on a collection of your own.

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Evaluation, Question } from '../../engine/evaluate/evaluate.ts';
import { integer, usage, type Frame } from '../frame.ts';

interface Options {
  db?: string;
  questions?: string;
  sample: number;
  json?: boolean;
}

export function registerEval(program: Command, frame: Frame): void {
  program
    .command('eval')
    .description('measure which search mode works best for a collection')
    .argument('<collection>', 'collection to measure')
    .option(
      '--questions <file>',
      'JSON Lines: {"query": "…", "answers": [{"path": "…", "start": 1, "end": 9}]}',
    )
    .option(
      '-n, --sample <number>',
      'number of questions to make from headings if no file is given',
      integer('--sample', 10, 2000),
      200,
    )
    .option('--db <name>', 'database')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai eval handbook\n  $ vai eval handbook --questions questions.jsonl',
    )
    .action((collection: string, options: Options) => evaluate(frame, collection, options));
}

async function evaluate(frame: Frame, collection: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const { db, sample } = options;
  const questions = options.questions ? readQuestions(options.questions) : undefined;
  const result = await frame.withBar((call) =>
    engine.evaluate.run(call, { collection, db, sample, questions }),
  );
  if (frame.wantsJson(options)) frame.printJson(result);
  else frame.print(describe(frame, result));
}

function readQuestions(file: string): Question[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw usage(`\`${file}\` cannot be read.`);
  }
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line, at) => {
      try {
        const question = JSON.parse(line) as Question;
        if (
          typeof question.query === 'string' &&
          Array.isArray(question.answers) &&
          question.answers.every((a) => typeof a.path === 'string')
        )
          return question;
      } catch {
        // Reported below with its line.
      }
      throw usage(`Line ${at + 1} of the questions is not {"query": …, "answers": [{"path": …}]}.`);
    });
}

function describe(frame: Frame, result: Evaluation): string {
  const { terminal } = frame;
  const top = result.modes.find(({ mode }) => mode === result.best);
  // As far as the figures tell: they are shown with three digits.
  const equal = result.modes.filter(({ ndcg10 }) => ndcg10.toFixed(3) === top?.ndcg10.toFixed(3));
  const best = equal.length < result.modes.length || equal.length === 1 ? equal : [];
  const rows = result.modes.map((mode) => {
    const figures = [mode.ndcg10, mode.recall5, mode.recall10, mode.mrr]
      .map((value) => value.toFixed(3))
      .join('  ');
    const line = `${mode.mode.padEnd(8)} ${figures}  ${mode.msPerQuery.toFixed(1).padStart(7)} ms`;
    return best.includes(mode) ? terminal.bold(line) : line;
  });
  const from = result.made ? 'made from its headings' : 'from your file';
  return [
    `Questions: ${result.questions} ${from}, collection ${result.collection}`,
    terminal.dim('mode     nDCG@10  R@5  R@10   MRR   per query'),
    ...rows,
    best.length
      ? `Best here: ${terminal.bold(best.map(({ mode }) => mode).join(', '))}`
      : 'All modes do equally well here.',
  ].join('\n');
}
