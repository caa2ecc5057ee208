// vai collections and vai remove: lists collections and documents, and removes them.

import type { Command } from 'commander';
import { clip, plural, size } from '../../tools/shared/text.ts';
import { confirmRemoval } from '../confirm.ts';
import type { Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

interface ListOptions {
  db?: string;
  json?: boolean;
}

interface RemoveOptions extends ListOptions {
  yes?: boolean;
}

export function registerCollections(program: Command, frame: Frame): void {
  program
    .command('collections')
    .alias('list')
    .description('list the collections, or the documents of one')
    .argument('[name]', 'a collection, to list its documents')
    .option('--db <name>', 'database')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai collections\n  $ vai collections handbook --json')
    .action((name: string | undefined, options: ListOptions) =>
      name ? documents(frame, name, options) : collections(frame, options),
    );
  program
    .command('remove')
    .alias('rm')
    .description('remove a collection, or one document of it')
    .argument('<collection>', 'collection, or collection/path for one document')
    .option('--db <name>', 'database')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai remove handbook/old-page.md\n  $ vai remove handbook --yes')
    .action((target: string, options: RemoveOptions) => remove(frame, target, options));
}

async function collections(frame: Frame, options: ListOptions): Promise<void> {
  const engine = await frame.engine();
  const report = await engine.collections.list(frame.call(), { db: options.db });
  if (frame.wantsJson(options)) return frame.printJson(report);
  if (report.collections.length === 0)
    return frame.print('No collections yet. Add one with `vai ingest <folder>` or `blz add <name>`.');
  const { terminal } = frame;
  const rows = report.collections.map((c) => {
    const model = c.embedding ? `${c.embedding.model} × ${c.embedding.dimensions}` : 'words only';
    const counts = `${plural(c.stats.documents, 'document')}, ${plural(c.stats.chunks, 'chunk')}, ${size(c.stats.bytes)}`;
    return { name: printable(c.name), counts, model };
  });
  const width = (cells: string[]): number => Math.max(...cells.map((cell) => cell.length));
  const name = width(rows.map((row) => row.name));
  const counts = width(rows.map((row) => row.counts));
  frame.print(
    rows
      .map(
        (row) =>
          `${terminal.bold(row.name.padEnd(name))}  ${row.counts.padEnd(counts)}  ${terminal.dim(row.model)}`,
      )
      .join('\n'),
  );
}

async function documents(frame: Frame, name: string, options: ListOptions): Promise<void> {
  const engine = await frame.engine();
  const page = await engine.collections.documents(frame.call(), {
    collection: name,
    db: options.db,
    limit: 10_000,
  });
  if (frame.wantsJson(options)) return frame.printJson(page);
  const { terminal } = frame;
  const rows = page.documents.map((d) => {
    const lines = plural(d.lines, 'line');
    return `${clip(printable(d.path || name), terminal.width - 16)}  ${terminal.dim(lines)}`;
  });
  frame.print(rows.join('\n') || `\`${name}\` is empty.`);
}

async function remove(frame: Frame, target: string, options: RemoveOptions): Promise<void> {
  const slash = target.indexOf('/');
  const collection = slash === -1 ? target : target.slice(0, slash);
  const path = slash === -1 ? undefined : target.slice(slash + 1);
  const engine = await frame.engine();
  const view = await engine.collections.get(frame.call(), { name: collection, db: options.db });
  if (!options.yes) {
    // Nobody is asked about a document that is not there.
    if (path !== undefined) await engine.collections.text(frame.call(), { collection, path, db: options.db });
    await confirmRemoval(
      frame,
      path ? `${view.name}/${path}` : `${view.name} with ${plural(view.stats.documents, 'document')}`,
    );
  }
  const removed = await engine.collections.remove(frame.call(), { collection, path, db: options.db });
  if (frame.wantsJson(options)) return frame.printJson(removed);
  const counts = `${plural(removed.documents, 'document')} (${plural(removed.chunks, 'chunk')})`;
  frame.print(`Removed ${counts} from ${removed.collection}.`);
}
