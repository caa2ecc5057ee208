// blz add: a source from the registry, an address, or a file or folder of this machine.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { AddRequest } from '../../engine/docs/types.ts';
import { toVaiError } from '../../domain/errors.ts';
import { isAddress } from '../../domain/source-address.ts';
import { list, usage, type Frame } from '../frame.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';
import { plural } from '../../tools/shared/text.ts';

interface Options extends OutputOptions {
  yes?: boolean;
  force?: boolean;
  name?: string;
  description?: string;
  category?: string;
  tags?: string[];
  dryRun?: boolean;
  manifest?: string;
  only?: string[];
}

export function registerAdd(program: Command, frame: Frame): void {
  const command = program
    .command('add')
    .description(
      'add documentation from the registry, an address, a GitHub repository, a website, a file or a folder',
    )
    .argument('[alias]', 'name for the source; on its own, a registry id or package name')
    .argument(
      '[place]',
      'https address (text, OpenAPI, notebook, PDF), github:owner/name[@ref][/path], site:https://…, file or folder',
    )
    .option('-y, --yes', 'accepted for scripts; adding never asks')
    .option('--force', 'replace a source with that name; the old version is archived')
    .option('--name <title>', 'title')
    .option('--description <text>', 'description')
    .option('--category <name>', 'category')
    .option('--tags <list>', 'tags', list)
    .option('--dry-run', 'show what would be added, store nothing')
    .option('--manifest <file>', 'add every source of a TOML file')
    .option('--only <list>', 'with --manifest: only these aliases', list);
  withFormat(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ blz add bun\n  $ blz add astro https://docs.astro.build/llms-full.txt\n  $ blz add petstore https://petstore3.swagger.io/api/v3/openapi.json\n  $ blz add express github:expressjs/express@v5.1.0\n  $ blz add notes ./notes',
    )
    .action((alias: string | undefined, place: string | undefined, options: Options) =>
      options.manifest ? addManifest(frame, options.manifest, options) : addOne(frame, alias, place, options),
    );
}

async function addOne(
  frame: Frame,
  alias: string | undefined,
  place: string | undefined,
  options: Options,
): Promise<void> {
  if (!alias) throw usage('Name the source to add.', 'For example: blz add bun');
  const request: AddRequest = {
    alias,
    ...placeOf(frame.cwd, place),
    force: options.force,
    name: options.name,
    description: options.description,
    category: options.category,
    tags: options.tags,
  };
  const engine = await frame.engine();
  if (options.dryRun) {
    if (request.path) throw usage('--dry-run works with addresses, not with files.');
    const analysis = await frame.withBar((call) => engine.docs.analyse(call, request));
    show(frame, options, {
      json: analysis,
      text: () =>
        `${analysis.alias}: ${plural(analysis.lineCount, 'line')}, ${plural(analysis.headerCount, 'heading')}, ${analysis.fileSize} bytes at ${analysis.finalUrl} (${analysis.variant})`,
    });
    return;
  }
  const added = await frame.withBar((call) => engine.docs.add(call, request));
  show(frame, options, { json: added, text: () => added.message });
  for (const notice of added.notices ?? []) frame.note(notice);
}

function placeOf(cwd: string, place: string | undefined): Pick<AddRequest, 'url' | 'path' | 'typed'> {
  if (place === undefined) return {};
  return isAddress(place) ? { url: place } : { path: resolve(cwd, place), typed: place };
}

async function addManifest(frame: Frame, file: string, options: Options): Promise<void> {
  const path = resolve(frame.cwd, file);
  const content = await readFile(path, 'utf8').catch(() => {
    throw usage('The manifest cannot be read.', 'Check the path given to --manifest.');
  });
  const { parseManifest } = await import('./manifest.ts');
  const sources = parseManifest(content, dirname(path));
  const chosen = options.only ? sources.filter((source) => options.only!.includes(source.alias)) : sources;
  if (chosen.length === 0) throw usage('The manifest contains no source to add.');
  const engine = await frame.engine();
  const results: object[] = [];
  for (const request of chosen) {
    try {
      const { force } = options;
      results.push(await frame.withBar((call) => engine.docs.add(call, { ...request, force })));
    } catch (thrown) {
      const error = toVaiError(thrown);
      results.push({ alias: request.alias, error: error.code, message: error.message });
      frame.fail(error.code === 'SOURCE_EXISTS' ? frame.exitCode || 2 : 5);
    }
  }
  show(frame, options, {
    json: { sources: results },
    items: results,
    text: () => results.map((result) => (result as { message: string }).message).join('\n'),
  });
}
