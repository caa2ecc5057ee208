// vai models add, list and remove: models of the user's own on this machine.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { AddedModel, AddModelRequest } from '../../ports/models.ts';
import { size } from '../../tools/shared/text.ts';
import { confirmRemoval } from '../confirm.ts';
import type { Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

interface AddOptions {
  from?: string;
  file?: string;
  pooling?: 'mean' | 'cls';
  json?: boolean;
}

interface Options {
  yes?: boolean;
  json?: boolean;
}

export function registerAddedModels(models: Command, frame: Frame): void {
  models
    .command('add')
    .description('add an ONNX encoder or cross-encoder to this machine, for embedding or reranking')
    .argument('<name>', 'its name here; without --from also its place: owner/model of a hub, or a folder')
    .option('--from <source>', 'a folder, owner/model of a hub, or its https address')
    .option('--file <path>', 'the ONNX file to use, if there are several')
    .addOption(
      new Option('--pooling <kind>', 'how tokens become one vector, if no file says so').choices([
        'mean',
        'cls',
      ]),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nNeeds the optional package onnxruntime-node beside vai.\n\nExamples:\n  $ vai models add bge-small-en-v1.5\n  $ vai models add Xenova/ms-marco-MiniLM-L-6-v2\n  $ vai models add handbook-encoder --from ./exported',
    )
    .action((name: string, options: AddOptions) => add(frame, name, options));
  models
    .command('list')
    .description('list the models that were added to this machine')
    .option('--json', 'print JSON')
    .action((options: Options) => list(frame, options));
  models
    .command('remove')
    .description(
      'remove a model from this machine; collections made with it are searched by words until it is added again',
    )
    .argument('<name>', 'name, as vai models list prints it')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => remove(frame, name, options));
}

async function add(frame: Frame, name: string, { json, ...options }: AddOptions): Promise<void> {
  const folder = folderOf(frame, name, options.from);
  const request: AddModelRequest = {
    ...options,
    name: folder !== undefined && options.from === undefined ? basename(folder) : name,
    from: folder ?? options.from,
  };
  const engine = await frame.engine();
  const added = await frame.withBar((call) => engine.models.add(call, request));
  if (frame.wantsJson({ json })) return frame.printJson(added);
  const use =
    added.type === 'rerank'
      ? `vai query "…" --rerank-model ${added.model}\n  vai config set rerank-model ${added.model}`
      : `vai ingest docs/ --collection docs --model ${added.model}\n  vai config set default-model ${added.model}`;
  frame.print(`Added ${describe(added)}\nUse it:\n  ${use}`);
}

/** What is written as a path is one; after --from also `owner/model`, where there is such a folder. */
function folderOf(frame: Frame, name: string, from: string | undefined): string | undefined {
  const given = from ?? name;
  const path = resolve(frame.cwd, given.replace(/^~(?=\/|$)/, homedir()));
  return (from !== undefined || /^(?:[.~]|\/|[A-Za-z]:\\)/.test(given)) && existsSync(path)
    ? path
    : undefined;
}

async function list(frame: Frame, { json }: Options): Promise<void> {
  const engine = await frame.engine();
  const added = await engine.models.added(frame.call());
  if (frame.wantsJson({ json })) return frame.printJson({ models: added });
  frame.print(
    added.map(describe).join('\n') ||
      'No model was added. Add one with `vai models add <owner/model or folder>`.',
  );
}

function describe(added: AddedModel): string {
  const facts = [
    added.type === 'rerank' ? 'reranker' : `${added.dimensions} dimensions`,
    `reads ${added.contextTokens} tokens`,
    size(added.bytes),
    added.licence ? `licence ${added.licence}` : 'licence not stated by its files',
    `from ${added.source}`,
  ];
  return printable(`${added.model}  ${facts.join(', ')}`);
}

async function remove(frame: Frame, name: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const bare = name.replace(/^local\//, '');
  if (!options.yes) await confirmRemoval(frame, `the model ${bare}`);
  await engine.models.remove(frame.call(), bare);
  if (frame.wantsJson(options)) return frame.printJson({ removed: bare });
  frame.print(`Removed ${printable(bare)}.`);
}
