// blz lookup: searches the registry, tolerating near matches.

import type { Command } from 'commander';
import { toVaiError } from '../../domain/errors.ts';
import type { Frame } from '../frame.ts';
import { integer } from '../frame.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';
import { plural } from '../../tools/shared/text.ts';

interface Options extends OutputOptions {
  limit: number;
  check?: boolean;
}

export function registerLookup(program: Command, frame: Frame): void {
  const command = program
    .command('lookup')
    .description('search the registry for a source')
    .argument('<query...>', 'name, package or subject')
    .option('-n, --limit <number>', 'how many', integer('--limit', 1, 100), 10)
    .option('--check', 'check that each address serves documentation');
  withFormat(command).action((words: string[], options: Options) => run(frame, words.join(' '), options));
}

async function run(frame: Frame, query: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const matches = await engine.docs.lookup(frame.call(), { query, limit: options.limit });
  const results: {
    id: string;
    url: string;
    name: string;
    description: string;
    category: string;
    score: number;
    check?: string;
  }[] = [];
  for (const { entry, score } of matches) {
    const { id, url, name, description, category } = entry;
    const check = options.check ? { check: await checked(frame, id) } : {};
    results.push({ id, url, name, description, category, score, ...check });
  }
  show(frame, options, {
    json: { query, results },
    items: results,
    text: () =>
      results
        .map(
          (one) =>
            `${frame.terminal.bold(one.id)}  ${one.name}: ${one.description}  ${frame.terminal.dim(one.url)}${one.check ? `  ${one.check}` : ''}`,
        )
        .join('\n') || `Nothing in the registry matches \`${query}\`.`,
    raw: () => results.map((one) => one.id).join('\n'),
  });
  if (results.length === 0) frame.fail(3);
}

async function checked(frame: Frame, id: string): Promise<string> {
  try {
    const engine = await frame.engine();
    const { lineCount, variant } = await engine.docs.analyse(frame.call(), { alias: id });
    return `ok: ${plural(lineCount, 'line')} (${variant})`;
  } catch (thrown) {
    return `failed: ${toVaiError(thrown).message}`;
  }
}
