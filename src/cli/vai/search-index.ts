// vai index: the search indexes of a collection on MongoDB. The embedded store only lists its own.

import type { Command } from 'commander';
import { toVaiError } from '../../domain/errors.ts';
import type { IndexInfo } from '../../ports/store.ts';
import { integer, list, usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

interface CommonOptions {
  db?: string;
  json?: boolean;
}

interface CreateOptions extends CommonOptions {
  type?: string;
  name?: string;
  dimensions?: number;
  filterField?: string[];
}

export function registerIndex(program: Command, frame: Frame): void {
  const index = program.command('index').description('create, list and drop search indexes (MongoDB)');
  index
    .command('list')
    .alias('status')
    .description('list the indexes of one or all collections and their state')
    .argument('[collection]', 'collection')
    .option('--db <name>', 'database')
    .option('--json', 'print JSON')
    .action((collection: string | undefined, options: CommonOptions) => show(frame, collection, options));
  index
    .command('create')
    .description('create an index and wait until it is ready')
    .argument('<collection>', 'collection')
    .option('--type <type>', 'vector or text (default: both)')
    .option('--name <name>', 'name of the index')
    .option('--dimensions <n>', 'length of the vectors', integer('--dimensions', 1, 8192))
    .option(
      '--filter-field <path>',
      'a path to filter by, for example metadata.topic (repeat or comma list)',
      list,
    )
    .option('--db <name>', 'database')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai index create handbook\n  $ vai index create handbook --filter-field metadata.team',
    )
    .action((collection: string, options: CreateOptions) => create(frame, collection, options));
  index
    .command('drop')
    .alias('delete')
    .description('drop an index; its collection is kept')
    .argument('<collection>', 'collection')
    .argument('<name>', 'name of the index')
    .option('--db <name>', 'database')
    .option('--json', 'print JSON')
    .action((collection: string, name: string, options: CommonOptions) =>
      drop(frame, { collection, name }, options),
    );
}

async function show(frame: Frame, collection: string | undefined, options: CommonOptions): Promise<void> {
  const engine = await frame.engine();
  const report = await engine.indexes.list(frame.call(), { collection, db: options.db });
  if (frame.wantsJson(options)) return frame.printJson(report);
  const rows = report.collections.flatMap(({ name, indexes }) =>
    indexes.map((info) => `${printable(name)}  ${line(info)}`),
  );
  if (rows.length === 0) rows.push('No collections yet.');
  frame.print([...(report.about ? [report.about] : []), ...rows].join('\n'));
}

async function create(frame: Frame, collection: string, options: CreateOptions): Promise<void> {
  if (options.type !== undefined && options.type !== 'vector' && options.type !== 'text')
    throw usage(`\`${options.type}\` is not an index type.`, 'Use --type vector or --type text.');
  if (options.name !== undefined && options.type === undefined)
    throw usage('--name needs --type.', 'Say which with --type vector or --type text.');
  const types: IndexInfo['type'][] = options.type === undefined ? ['vector', 'text'] : [options.type];
  const engine = await frame.engine();
  const made: IndexInfo[] = [];
  for (const type of types) {
    const { db, name, dimensions, filterField: filterFields } = options;
    const vectors = type === 'vector' ? { dimensions, filterFields } : {};
    const making = frame.withBar((call) =>
      engine.indexes.create(call, { collection, db, type, name, ...vectors }),
    );
    // Both types were requested, and one of them may have nothing to index.
    const index = await making.catch((thrown: unknown) => {
      if (options.type || toVaiError(thrown).code !== 'STORE_UNSUPPORTED') throw thrown;
      frame.note(toVaiError(thrown).message);
    });
    if (index) made.push(index);
  }
  if (frame.wantsJson(options)) return frame.printJson({ collection, indexes: made });
  frame.print(made.map(line).join('\n'));
}

async function drop(
  frame: Frame,
  target: { collection: string; name: string },
  options: CommonOptions,
): Promise<void> {
  const engine = await frame.engine();
  const dropped = await engine.indexes.drop(frame.call(), { ...target, db: options.db });
  if (frame.wantsJson(options)) frame.printJson({ ...target, dropped });
  else frame.print(dropped ? `Dropped ${target.name}.` : `There is no index ${target.name}.`);
  if (!dropped) frame.fail(3);
}

function line(info: IndexInfo): string {
  const size = info.dimensions === undefined ? '' : `, ${info.dimensions} dimensions`;
  const filters = info.filterFields.length ? `, filters: ${info.filterFields.join(' ')}` : '';
  return `${info.name}  ${info.type} on ${info.field}  ${info.status}${size}${filters}`;
}
