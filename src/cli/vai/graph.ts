// vai graph: the typed graph of a collection, built, shown and exported.

import { Option, type Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import type { FlowragFlags } from '../../config/flowrag.ts';
import type { Engine } from '../../engine/engine.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../engine/graph/export.ts';
import { TRACE_DIRECTIONS, type TraceDirection } from '../../engine/graph/trace.ts';
import type { RelationList } from '../../engine/graph/types.ts';
import type { IndexReport } from '../../engine/index/types.ts';
import { pathText, traceText } from '../../tools/flowrag/text.ts';
import { plural } from '../../tools/shared/text.ts';
import { integer, type Frame } from '../frame.ts';

interface Common extends FlowragFlags {
  db?: string;
  json?: boolean;
}

interface Placed extends Common {
  collection?: string;
}

export function registerGraph(program: Command, frame: Frame): void {
  const graph = program
    .command('graph')
    .description('the knowledge graph: entities and relations, with the lines that state them')
    .addHelpText(
      'after',
      `
Examples:
  $ vai graph build handbook
  $ vai graph show "Payment Service"
  $ vai graph trace Redis --direction impact
  $ vai graph path Checkout Redis`,
    );
  common(graph.command('build'))
    .description('extract entities and relations from the documents of a collection')
    .argument('<collection>')
    .action((collection: string, options: Common) =>
      withEngine(frame, options, async (engine, db) => {
        const report = await frame.withBar((call) => engine.graph.build(call, { collection, db }));
        if (frame.wantsJson(options)) frame.printJson(report);
        else frame.print(buildText(report));
      }),
    );
  common(graph.command('show'))
    .description('show one entity with its relations, or list all entities')
    .argument('[entity]')
    .option('--collection <name>', 'only this collection')
    .option('--type <type>', 'entities of this type')
    .action((entity: string | undefined, options: Placed & { type?: string }) =>
      withEngine(frame, options, (engine, db) => show(frame, engine, entity, { ...options, db })),
    );
  common(graph.command('trace'))
    .description('what is upstream or downstream of an entity, or affected when it fails')
    .argument('<entity>')
    .option('--collection <name>', 'only this collection')
    .addOption(
      new Option('--direction <way>', 'direction to follow').choices(TRACE_DIRECTIONS).default('downstream'),
    )
    .action((entity: string, options: Placed & { direction: TraceDirection }) =>
      withEngine(frame, options, async (engine, db) => {
        const { direction, collection } = options;
        const found = await engine.graph.trace(frame.call(), { entity, direction, collection, db });
        answer(frame, options, found, traceText);
      }),
    );
  common(graph.command('path'))
    .description('how two entities are connected')
    .argument('<from>')
    .argument('<to>')
    .option('--collection <name>', 'only this collection')
    .addOption(
      new Option('--max-depth <steps>', 'longest path to look for')
        .argParser(integer('--max-depth', 1, 20))
        .default(5),
    )
    .action((from: string, to: string, options: Placed & { maxDepth: number }) =>
      withEngine(frame, options, async (engine, db) => {
        const { maxDepth, collection } = options;
        const found = await engine.graph.path(frame.call(), { from, to, maxDepth, collection, db });
        answer(frame, options, found, pathText);
      }),
    );
  common(graph.command('export'))
    .description('print the graph, or write it to a file')
    .argument('[collection]')
    .addOption(
      new Option('--format <format>', 'format of the export').choices(EXPORT_FORMATS).default('json'),
    )
    .option('-o, --output <file>', 'write to this file')
    .action((collection: string | undefined, options: Common & { format: ExportFormat; output?: string }) =>
      withEngine(frame, options, async (engine, db) => {
        const { format, output } = options;
        const text = await engine.graph.export(frame.call(), { format, collection, db });
        if (output) await writeFile(output, text);
        else frame.print(text);
      }),
    );
}

function common(command: Command): Command {
  return command
    .option('--config <path>', 'FlowRAG config with schema and extractor (default: ./flowrag.config.json)')
    .option('--db <name>', 'database')
    .option('--json', 'print JSON');
}

/** The engine with the schema of a FlowRAG config, but over the default database unless one is named. */
async function withEngine(
  frame: Frame,
  options: Common,
  work: (engine: Engine, db: string) => Promise<void>,
): Promise<void> {
  const { flowragConfig, flowragParts } = await import('../flowrag/parts.ts');
  const { createEngine } = await import('../../engine/engine.ts');
  const settings = await frame.settings();
  const config = flowragConfig(frame, settings, { config: options.config });
  const engine = createEngine(await flowragParts(frame, settings, config));
  try {
    await work(engine, options.db ?? settings.defaultDb);
  } finally {
    await engine.close();
  }
}

/** The summary comes last, as in a list. */
function answer<Found extends { warnings: string[] }>(
  frame: Frame,
  options: Common,
  found: Found,
  text: (found: Found) => { head: string; lines: string[] },
): void {
  if (frame.wantsJson(options)) return frame.printJson(found);
  const { head, lines } = text(found);
  frame.print([...lines, head].join('\n'));
  for (const warning of found.warnings) frame.note(warning);
}

async function show(
  frame: Frame,
  engine: Engine,
  entity: string | undefined,
  options: Placed & { type?: string; db: string },
): Promise<void> {
  const { collection, db, type } = options;
  if (entity !== undefined) {
    const found = await engine.graph.relations(frame.call(), { entity, direction: 'both', collection, db });
    if (frame.wantsJson(options)) return frame.printJson(found);
    return frame.print(relationLines(found).join('\n'));
  }
  const found = await engine.graph.entities(frame.call(), { type, limit: 200, collection, db });
  if (frame.wantsJson(options)) return frame.printJson(found);
  if (found.total === 0)
    return frame.print('No such entities. Extract them with `vai graph build <collection>`.');
  const lines = found.entities.map(
    ({ name, type, relationCount, evidence }) =>
      `${type.padEnd(10)} ${name}  (${plural(relationCount, 'relation')})  ${evidence[0]?.citation ?? ''}`,
  );
  frame.print(
    [...lines, `${found.entities.length} of ${plural(found.total, 'entity', 'entities')}`].join('\n'),
  );
}

function relationLines({ resolved, relations, total }: RelationList): string[] {
  const lines = relations.map(
    (one) => `${one.source} -${one.type}-> ${one.target}  ${one.evidence[0]?.citation ?? ''}`,
  );
  return [resolved.name, ...lines, `${relations.length} of ${plural(total, 'relation')}`];
}

function buildText({ totals, run, durationMs, failuresTotal, failures }: IndexReport): string {
  return [
    `${plural(totals.entities, 'entity', 'entities')} and ${plural(totals.relations, 'relation')} from ${plural(run.changed, 'document')} in ${(durationMs / 1000).toFixed(1)} s`,
    ...(failuresTotal > 0
      ? [
          plural(failuresTotal, 'failure'),
          ...failures.map((one) => `  ${one.path}:${one.startLine} ${one.message}`),
        ]
      : []),
  ].join('\n');
}
