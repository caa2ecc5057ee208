// vai similarity: how close two texts are, as vai_similarity does.

import type { Command } from 'commander';
import { usage, type Frame } from '../frame.ts';
import { showCost } from './cost.ts';
import { textOrInput } from './input.ts';

interface Options {
  model?: string;
  against?: string;
  json?: boolean;
}

export function registerSimilarity(program: Command, frame: Frame): void {
  program
    .command('similarity')
    .description('compare two texts by meaning')
    .argument('<text1>', 'a text, or - for standard input')
    .argument('[text2]', 'the other text')
    .option('--against <text>', 'the other text')
    .option('--model <name>', 'embedding model')
    .option('--json', 'print JSON, in the shape of vai_similarity')
    .addHelpText(
      'after',
      '\nExample:\n  $ vai similarity "How do I sign in?" "The login page asks for a password"',
    )
    .action((text1: string, text2: string | undefined, options: Options) =>
      run(frame, text1, text2, options),
    );
}

async function run(frame: Frame, first: string, second: string | undefined, options: Options): Promise<void> {
  const text2 = second ?? options.against;
  if (text2 === undefined)
    throw usage('The second text is missing.', 'For example: vai similarity "one text" "another"');
  const text1 = await textOrInput(frame, first, 'The first text');
  const engine = await frame.engine();
  const { warnings, ...answer } = await engine.models.similarity(frame.call(), {
    text1,
    text2,
    model: options.model,
  });
  for (const warning of warnings) frame.note(warning);
  await showCost(frame, engine, [answer]);
  if (frame.wantsJson(options)) return frame.printJson({ text1, text2, ...answer });
  frame.print(`${answer.similarity}  ${frame.terminal.dim(answer.model)}`);
}
