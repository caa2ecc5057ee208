// vai export: the documents of a collection as files or as JSON Lines, so that nothing is locked in.

import type { Command } from 'commander';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DocumentInfo } from '../../domain/document.ts';
import type { Engine } from '../../engine/engine.ts';
import { isInside } from '../../engine/inside.ts';
import { makeFolder } from '../../make-folder.ts';
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
  const there = folder === '-' ? undefined : await stat(resolve(frame.cwd, folder)).catch(() => undefined);
  if (there && !there.isDirectory())
    throw usage(`${folder} is a file.`, 'Name a folder, or - for JSON Lines.');
  if (folder !== '-' && !request.force) await refuseEdited(frame, engine, request);
  let written = 0;
  for await (const info of documentsOf(frame, engine, request)) {
    const text = await engine.collections.text(frame.call(), { ...request, path: info.path });
    if (folder === '-') {
      const { path, title, metadata } = info;
      frame.print(JSON.stringify({ path, title, metadata, text }));
    } else {
      const file = fileOf(frame, folder, info);
      makeFolder(dirname(file));
      await writeFile(file, text);
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
    if (!there) continue;
    const text = await engine.collections.text(frame.call(), { ...request, path: info.path });
    if (!there.equals(Buffer.from(text))) edited.push(info.path || `${info.collection}.md`);
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

/** A path may come from a stranger's index: it never leads out of the folder. */
function fileOf(frame: Frame, folder: string, { collection, path }: DocumentInfo): string {
  const base = resolve(frame.cwd, folder);
  const file = resolve(base, path === '' ? `${collection}.md` : path);
  if (!isInside(base, file) || file === base)
    throw usage(`The document \`${path}\` cannot be written inside ${folder}.`);
  return file;
}
