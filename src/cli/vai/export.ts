// vai export: the documents of a collection as files or as JSON Lines, so that nothing is locked in.

import type { Command } from 'commander';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { targetOf } from '../../domain/citation.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import type { Engine } from '../../engine/engine.ts';
import { isInside } from '../../engine/inside.ts';
import { plural } from '../../tools/shared/text.ts';
import { usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

interface Options {
  db?: string;
  force?: boolean;
}

interface Request extends Options {
  collection: string;
  folder: string;
}

const PAGE = 1000;
const LAST_LINE = 1_000_000_000;
/** The largest text a collection takes is smaller. */
const BUDGET = 500_000_000;
/** Files that a refusal names. */
const NAMED = 3;

export function registerExport(program: Command, frame: Frame): void {
  program
    .command('export')
    .description('write the documents of a collection to a folder, or as JSON Lines (-)')
    .argument('<collection>', 'the collection')
    .argument('<folder>', 'a folder, or - for JSON Lines on standard output')
    .option('--db <name>', 'database')
    .option('--force', 'overwrite files with another text')
    .addHelpText('after', '\nExamples:\n  $ vai export team ./team\n  $ vai export team - > team.jsonl')
    .action((collection: string, folder: string, options: Options) =>
      run(frame, { collection, folder, ...options }),
    );
}

async function run(frame: Frame, request: Request): Promise<void> {
  const { collection, folder } = request;
  const engine = await frame.engine();
  if (folder !== '-' && !request.force) await refuseEdited(frame, engine, request);
  let written = 0;
  for await (const info of documentsOf(frame, engine, request)) {
    const text = await textOf(frame, engine, info, request);
    if (folder === '-') {
      const { path, title, metadata } = info;
      frame.print(JSON.stringify({ path, title, metadata, text }));
    } else {
      const file = fileOf(frame, folder, info);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, withEnd(text));
    }
    written += 1;
  }
  if (folder !== '-') frame.note(`${plural(written, 'document')} of ${collection} in ${folder}.`);
}

/** A file that somebody changed is not written over, and then no other is written either. */
async function refuseEdited(frame: Frame, engine: Engine, request: Request): Promise<void> {
  const edited: string[] = [];
  for await (const info of documentsOf(frame, engine, request)) {
    const there = await readFile(fileOf(frame, request.folder, info)).catch(() => undefined);
    if (there && !there.equals(Buffer.from(withEnd(await textOf(frame, engine, info, request)))))
      edited.push(info.path || `${info.collection}.md`);
  }
  if (edited.length === 0) return;
  const named = edited.slice(0, NAMED).join(', ');
  const more = edited.length > NAMED ? ` and ${edited.length - NAMED} more` : '';
  throw usage(
    `${request.folder} has files with another text: ${printable(named)}${more}. Nothing was written.`,
    'Export to another folder, or add --force to overwrite them.',
  );
}

async function* documentsOf(
  frame: Frame,
  engine: Engine,
  { collection, db }: Request,
): AsyncGenerator<DocumentInfo> {
  for (let after: string | undefined; ;) {
    const page = await engine.collections.documents(frame.call(), { collection, db, after, limit: PAGE });
    yield* page.documents;
    after = page.next;
    if (after === undefined) return;
  }
}

async function textOf(frame: Frame, engine: Engine, info: DocumentInfo, { db }: Options): Promise<string> {
  const citations = [`${targetOf(info)}:1-${LAST_LINE}`];
  const { snippets } = await engine.cite.read(frame.call(), { citations, budget: BUDGET, db });
  return snippets[0]?.content ?? '';
}

function withEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** A path may come from a stranger's index: it never leads out of the folder. */
function fileOf(frame: Frame, folder: string, { collection, path }: DocumentInfo): string {
  const base = resolve(frame.cwd, folder);
  const file = resolve(base, path === '' ? `${collection}.md` : path);
  if (!isInside(base, file) || file === base)
    throw usage(`The document \`${path}\` cannot be written inside ${folder}.`);
  return file;
}
