// vai export: the documents of a collection as files or as JSON Lines, so that nothing is locked in.

import type { Command } from 'commander';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { targetOf } from '../../domain/citation.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { isInside } from '../../engine/inside.ts';
import { plural } from '../../tools/shared/text.ts';
import { usage, type Frame } from '../frame.ts';

interface Options {
  db?: string;
}

const PAGE = 1000;
const LAST_LINE = 1_000_000_000;
/** The largest text a collection takes is smaller. */
const BUDGET = 500_000_000;

export function registerExport(program: Command, frame: Frame): void {
  program
    .command('export')
    .description('write the documents of a collection to a folder, or as JSON Lines (-)')
    .argument('<collection>', 'the collection')
    .argument('<folder>', 'a folder, or - for JSON Lines on standard output')
    .option('--db <name>', 'database')
    .addHelpText('after', '\nExamples:\n  $ vai export team ./team\n  $ vai export team - > team.jsonl')
    .action((collection: string, folder: string, options: Options) =>
      run(frame, { collection, folder, ...options }),
    );
}

async function run(frame: Frame, request: { collection: string; folder: string } & Options): Promise<void> {
  const { collection, folder } = request;
  const place = request.db === undefined ? {} : { db: request.db };
  const engine = await frame.engine();
  let written = 0;
  for (let after: string | undefined; ;) {
    const page = await engine.collections.documents(frame.call(), {
      collection,
      limit: PAGE,
      ...place,
      ...(after === undefined ? {} : { after }),
    });
    for (const info of page.documents) {
      const citations = [`${targetOf(info)}:1-${LAST_LINE}`];
      const { snippets } = await engine.cite.read(frame.call(), { citations, budget: BUDGET, ...place });
      await write(frame, folder, info, snippets[0]?.content ?? '');
      written += 1;
    }
    after = page.next;
    if (after === undefined) break;
  }
  if (folder !== '-') frame.note(`${plural(written, 'document')} of ${collection} in ${folder}.`);
}

async function write(frame: Frame, folder: string, info: DocumentInfo, text: string): Promise<void> {
  const { path, title, metadata } = info;
  if (folder === '-') return frame.print(JSON.stringify({ path, title, metadata, text }));
  const base = resolve(frame.cwd, folder);
  const file = resolve(base, path === '' ? `${info.collection}.md` : path);
  // A path may come from a stranger's index: it never leads out of the folder.
  if (!isInside(base, file) || file === base)
    throw usage(`The document \`${path}\` cannot be written inside ${folder}.`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text.endsWith('\n') ? text : `${text}\n`);
}
