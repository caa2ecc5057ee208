// vai embed: the vector of a text, as vai_embed does.

import type { Command } from 'commander';
import type { OutputType } from '../../ports/models.ts';
import { integer, usage, type Frame } from '../frame.ts';
import { showCost } from './cost.ts';
import { textOrInput } from './input.ts';

const TYPES: OutputType[] = ['float', 'int8', 'uint8', 'binary', 'ubinary'];

interface Options {
  model?: string;
  inputType?: string;
  dimensions?: number;
  outputDtype?: string;
  json?: boolean;
}

export function registerEmbed(program: Command, frame: Frame): void {
  program
    .command('embed')
    .description('print the vector of a text')
    .argument('[text]', 'the text, or - for standard input')
    .option('--model <name>', 'embedding model')
    .option('--input-type <role>', 'query or document (default: query)')
    .option(
      '--dimensions <number>',
      'vector length; one the model supports',
      integer('--dimensions', 1, 8192),
    )
    .option('--output-dtype <type>', `${TYPES.join(', ')} (Voyage models)`)
    .option('--json', 'print JSON, in the shape of vai_embed')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai embed "How do I sign in?"\n  $ vai embed - --input-type document < page.txt',
    )
    .action((text: string | undefined, options: Options) => run(frame, text, options));
}

async function run(frame: Frame, given: string | undefined, options: Options): Promise<void> {
  const text = await textOrInput(frame, given, 'The text');
  const settings = await frame.settings();
  const role = options.inputType ?? settings.inputType ?? 'query';
  if (role !== 'query' && role !== 'document') throw usage('--input-type takes query or document.');
  const dtype = TYPES.find((type) => type === options.outputDtype);
  if (options.outputDtype && !dtype) throw usage(`--output-dtype takes ${TYPES.join(', ')}.`);
  const engine = await frame.engine();
  const { warnings, ...answer } = await engine.models.embed(frame.call(), {
    text,
    role,
    model: options.model,
    dimensions: options.dimensions,
    dtype,
  });
  for (const warning of warnings) frame.note(warning);
  await showCost(frame, engine, [answer]);
  if (frame.wantsJson(options)) {
    const { role: inputType, ...rest } = answer;
    return frame.printJson({ text, ...rest, inputType });
  }
  frame.print(JSON.stringify(answer.vector));
  frame.note(
    frame.terminal.dim(
      `${answer.model}, ${answer.dimensions} dimensions, ${answer.tokens} tokens, as ${role}`,
    ),
  );
}
