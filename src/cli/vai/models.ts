// vai models: the catalogue, as vai_models gives it, and what the user added to it.

import { Option, type Command } from 'commander';
import type { ModelCategory } from '../../engine/models.ts';
import type { Frame } from '../frame.ts';
import { registerAddedModels } from './added-models.ts';

interface Options {
  category: ModelCategory;
  benchmarks?: boolean;
  json?: boolean;
}

export function registerModels(program: Command, frame: Frame): void {
  const models = program
    .command('models')
    .description('list embedding models and rerankers; add your own')
    .addOption(
      new Option('--category <kind>', 'which models').choices(['embedding', 'rerank', 'all']).default('all'),
    )
    .option('--benchmarks', 'also print the RTEB figures')
    .option('--json', 'print JSON, in the shape of vai_models')
    .addHelpText('after', '\nExamples:\n  $ vai models --category rerank\n  $ vai models --benchmarks')
    .action((options: Options) => run(frame, options));
  registerAddedModels(models, frame);
}

async function run(frame: Frame, options: Options): Promise<void> {
  const engine = await frame.engine();
  const list = await engine.models.list(frame.call(), { category: options.category });
  if (frame.wantsJson(options)) {
    const { describeModels } = await import('../../tools/vai/models.ts');
    return frame.printJson(describeModels(list));
  }
  const { terminal } = frame;
  const used = new Set(Object.values(list.defaults));
  const width = Math.max(...list.models.map((model) => model.name.length));
  const lines = list.models.map((model) => {
    const name = model.name.padEnd(width);
    const facts = [
      `$${model.pricePerMToken}/1M`,
      model.type === 'rerank' ? 'reranker' : `${model.dimensions.join('/') || 'own'} dimensions`,
      `${model.contextTokens / 1000}K context`,
      model.sharedSpace ? `space ${model.sharedSpace}` : '',
      model.status === 'current' ? '' : model.status,
    ].filter(Boolean);
    const mark = used.has(model.name) ? terminal.green('*') : ' ';
    return `${mark} ${terminal.bold(name)}  ${facts.join(', ')}\n  ${' '.repeat(width)}  ${terminal.dim(model.bestFor)}`;
  });
  lines.push(terminal.dim('* default'));
  if (options.benchmarks) {
    const own = list.models.flatMap((model) => (model.rteb ? [{ model: model.name, rteb: model.rteb }] : []));
    const rows = [...own, ...list.benchmarks].sort((a, b) => b.rteb - a.rteb);
    lines.push('', 'RTEB, NDCG@10 over 29 datasets, by the vendor (January 2026):');
    for (const row of rows) lines.push(`  ${row.rteb.toFixed(2)}  ${row.model}`);
  }
  frame.print(lines.join('\n'));
}
