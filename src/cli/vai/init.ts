// vai init: proposes the documentation of a project's dependencies and its own texts, and writes .vai.json.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PROJECT_FILE } from '../../config/index.ts';
import type { Proposal, ProposedSource } from '../../engine/project/propose.ts';
import type { Frame } from '../frame.ts';
import { extendProject } from '../init/extend.ts';
import { plural } from '../../tools/shared/text.ts';
import { printable } from '../terminal.ts';
import { recordWritten } from '../written-files.ts';
import { runSync } from './sync.ts';

interface Options {
  install?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Named one by one; the rest is counted. */
const SHOWN = 15;
const SHOWN_UNKNOWN = 8;

export function registerInit(program: Command, frame: Frame): void {
  program
    .command('init')
    .description('propose documentation and folders to index, and write them to .vai.json')
    .option('--install', 'also run vai sync: ingest the folders and install the documentation')
    .option('--dry-run', 'show the proposal and write nothing')
    .option('-y, --yes', 'with --install: do not ask before fetching an address that is not in the registry')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai init --dry-run\n  $ vai init --install')
    .action((options: Options) => init(frame, options));
}

async function init(frame: Frame, options: Options): Promise<void> {
  const engine = await frame.engine();
  const proposal = await engine.project.propose(frame.call(), frame.cwd);
  const file = join(frame.cwd, PROJECT_FILE);
  const { text, added } = extendProject(existsSync(file) ? readFileSync(file, 'utf8') : undefined, proposal);
  const written = !options.dryRun && added.length > 0;
  if (written) await writeProject(frame, file, text);
  const installed = options.install && !options.dryRun ? await runSync(frame, options) : undefined;
  if (frame.wantsJson(options))
    return frame.printJson({ ...proposal, added, written, installed: installed?.outcomes ?? [] });
  frame.print(
    [
      ...describe(frame, proposal, { added, written }),
      ...(installed?.lines ?? next(frame, proposal, !written && added.length > 0)),
    ].join('\n'),
  );
}

/** A project that was trusted before stays so: it is the user who changes the file. */
async function writeProject(frame: Frame, file: string, text: string): Promise<void> {
  const { trustIn, trustProject } = await import('../../config/trust.ts');
  const { home } = await frame.settings();
  const trusted = trustIn(home)(frame.cwd) === 'trusted';
  writeFileSync(file, text);
  await recordWritten(home, file, 'project');
  if (trusted) await trustProject(home, frame.cwd);
}

function describe(frame: Frame, proposal: Proposal, done: { added: string[]; written: boolean }): string[] {
  const { terminal } = frame;
  const { name, read, folders, sources, unknown, code } = proposal;
  const unknownNames = [...new Set(unknown.map(({ package: one }) => one))];
  return [
    `${terminal.bold(printable(name))}: ${read.length === 0 ? 'no manifest' : `read ${few(read, 4)}`}`,
    ...cut(
      'folder',
      folders.map(
        ({ path, files }) => printable(named(path)) + (files > 1 ? `, ${plural(files, 'file')}` : ''),
      ),
    ),
    ...cut(
      'source',
      sources.map((one) => `${terminal.bold(one.alias)} ${printable(about(one))}`),
    ),
    ...(unknown.length > 0 ? [`  unknown ${few(unknownNames, SHOWN_UNKNOWN)}`] : []),
    ...(isEmpty(proposal)
      ? ['  Nothing to propose: no documentation folders and no packages with known documentation.']
      : []),
    ...(code.length > 0
      ? [
          `Source code is left out. To search it too, add its folders to \`folders\` in ${PROJECT_FILE}: ${few(
            code.map(({ path, files }) => `${path} (${plural(files, 'file')})`),
            code.length,
          )}.`,
        ]
      : []),
    ...(done.written ? [`Added to ${PROJECT_FILE}: ${few(done.added.map(named), SHOWN)}.`] : []),
    ...(done.added.length === 0 ? [`${PROJECT_FILE} already contains all of it.`] : []),
  ];
}

/** A dot alone is lost beside commas and at the end of a sentence. */
const named = (path: string): string => (path === '.' ? 'this folder (.)' : path);

/** The first of them, a line each, and how many there are besides. */
function cut(label: string, lines: readonly string[]): string[] {
  const more = lines.length - SHOWN;
  return [
    ...lines.slice(0, SHOWN).map((line) => `  ${label}  ${line}`),
    ...(more > 0 ? [`  ${label}  … and ${more} more, which \`vai init --dry-run --json\` lists`] : []),
  ];
}

/** The same in one line. */
function few(names: readonly string[], most: number): string {
  const more = names.length - most;
  return printable(names.slice(0, most).join(', ')) + (more > 0 ? ` and ${more} more` : '');
}

function about({ package: name, installedVersion, docsVersion, via }: ProposedSource): string {
  const installed = `${name}${installedVersion ? ` ${installedVersion}` : ''}`;
  if (via === 'package') return `${installed}: included in the package`;
  return `${installed}: ${docsVersion ? `documentation of ${docsVersion}` : 'documentation of the latest version'}`;
}

function next(frame: Frame, proposal: Proposal, onlyShown: boolean): string[] {
  const command = isEmpty(proposal) ? 'vai ingest <folder>' : onlyShown ? 'vai init' : 'vai sync';
  return [frame.terminal.dim(`${onlyShown ? 'Nothing was written. ' : ''}Next: ${command}`)];
}

function isEmpty({ folders, sources }: Proposal): boolean {
  return folders.length + sources.length === 0;
}
