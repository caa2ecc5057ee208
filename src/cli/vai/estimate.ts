// vai estimate: the cost of a plan (as vai_estimate), or of ingesting files, read from the files themselves.

import type { Command } from 'commander';
import { VaiError } from '../../domain/errors.ts';
import type { EstimateRow } from '../../engine/estimate/costs.ts';
import type { PathEstimate } from '../../engine/estimate/path.ts';
import { dollars, plural, size } from '../../tools/shared/text.ts';
import { columns } from '../columns.ts';
import { list, usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

interface Options {
  docs?: number;
  queries: number;
  months: number;
  docTokens?: number;
  queryTokens?: number;
  collection?: string;
  db?: string;
  model?: string;
  include?: string[];
  exclude?: string[];
  maxCost?: string;
  json?: boolean;
}

export function registerEstimate(program: Command, frame: Frame): void {
  program
    .command('estimate')
    .description('estimate the cost of embedding files, or a number of documents')
    .argument('[path...]', 'files and folders to read; nothing is sent')
    .option('--docs <number>', 'documents to embed (50000, 50K, 2M)', amount('--docs', 1))
    .option('--queries <number>', 'queries a month', amount('--queries', 0), 0)
    .option('--months <number>', 'time horizon', amount('--months', 1), 12)
    .option('--doc-tokens <number>', 'tokens per document (default: 500)', amount('--doc-tokens', 1))
    .option('--query-tokens <number>', 'tokens per query (default: 30)', amount('--query-tokens', 1))
    .option('-c, --collection <name>', 'collection the files would go to')
    .option('--db <name>', 'database')
    .option('--model <name>', 'embedding model')
    .option('--include <glob>', 'only files that match (repeat or comma list)', list)
    .option('--exclude <glob>', 'leave out files that match (repeat or comma list)', list)
    .option('--max-cost <dollars>', 'fail when the files would cost more')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai estimate docs/ --model voyage-4-large\n  $ vai estimate --docs 50K --queries 1M --months 12',
    )
    .action((paths: string[], options: Options) =>
      paths.length ? ofFiles(frame, paths, options) : ofPlan(frame, options),
    );
}

async function ofPlan(frame: Frame, options: Options): Promise<void> {
  const { docs, queries, months, docTokens, queryTokens } = options;
  if (docs === undefined)
    throw usage('There is nothing to estimate.', 'Name files and folders, or a number with --docs.');
  if (months > 60) throw usage('--months takes 1 to 60.');
  const engine = await frame.engine();
  const estimate = engine.estimate.costs(frame.call(), { docs, queries, months, docTokens, queryTokens });
  if (frame.wantsJson(options)) return frame.printJson(estimate);
  const { estimateText } = await import('../../tools/vai/estimate.ts');
  frame.print(estimateText(estimate, tableOf));
}

function tableOf(rows: readonly EstimateRow[]): string {
  return columns(
    ['', 'embedding', 'per month', 'total'],
    rows.map(({ name, docModel, queryModel, ...row }) => [
      docModel === queryModel ? name : `${name}: ${docModel} / ${queryModel}`,
      dollars(row.embeddingCost),
      dollars(row.monthlyCost),
      dollars(row.totalCost),
    ]),
  );
}

async function ofFiles(frame: Frame, paths: string[], options: Options): Promise<void> {
  const limit = options.maxCost === undefined ? undefined : Number(options.maxCost);
  if (limit !== undefined && !(limit >= 0)) throw usage('--max-cost takes an amount in dollars.');
  const engine = await frame.engine();
  const { collection, db, model, include, exclude } = options;
  const estimate = await frame.withBar((call) =>
    engine.estimate.path(call, { paths, collection, db, model, include, exclude }),
  );
  if (frame.wantsJson(options)) frame.printJson(estimate);
  else frame.print(describeFiles(estimate));
  if (limit !== undefined && estimate.cost > limit) {
    throw new VaiError(
      'COST_LIMIT',
      `These files would cost about ${dollars(estimate.cost)}, over the limit of ${dollars(limit)}.`,
    );
  }
}

function describeFiles(estimate: PathEstimate): string {
  const lines = [
    `${plural(estimate.files, 'file')} (${size(estimate.bytes)}) would become ${plural(estimate.chunks, 'chunk')} in \`${estimate.collection}\`${estimate.unchanged ? `; ${plural(estimate.unchanged, 'file')} unchanged` : ''}.`,
    `Model ${estimate.model}: about ${plural(estimate.tokens, 'token')}, ${plural(estimate.requests, 'request')}, ${dollars(estimate.cost)}, ${duration(estimate.seconds)}.`,
    ...estimate.skipped.map(
      ({ reason, count, examples }) =>
        `Skipped ${count}: ${reason}${examples.length ? ` (${examples.slice(0, 3).map(printable).join(', ')})` : ''}`,
    ),
    ...estimate.failures.map(({ path, message }) => `Cannot read ${printable(path)}: ${message}`),
    ...estimate.warnings,
  ];
  return lines.join('\n');
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

const SUFFIX: Record<string, number> = { '': 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** Whole numbers with an optional K, M, B or T. */
function amount(name: string, low: number): (value: string) => number {
  return (value) => {
    const match = /^(\d+(?:\.\d+)?)([kmbt]?)$/i.exec(value.replaceAll(/[_,]/g, ''));
    const number = match ? Number(match[1]) * SUFFIX[match[2]!.toLowerCase()]! : NaN;
    if (!Number.isInteger(number) || number < low || number > 1e12)
      throw usage(`${name} takes a whole number from ${low}, also as 50K or 2M.`);
    return number;
  };
}
