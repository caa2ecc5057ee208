// vai init: proposes the documentation of a project's dependencies and its own texts, and writes .vai.json.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PROJECT_FILE } from '../../config/index.ts';
import type { Proposal, ProposedSource } from '../../engine/project/propose.ts';
import type { Frame } from '../frame.ts';
import { extendProject } from '../init/extend.ts';
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
const SHOWN_UNKNOWN = 12;

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
    [...describe(frame, proposal, { added, written }), ...(installed?.lines ?? next(frame, proposal))].join(
      '\n',
    ),
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
  const unknown = proposal.unknown.map(
    ({ package: name, version }) => `${name}${version ? ` ${version}` : ''}`,
  );
  const more = unknown.length > SHOWN_UNKNOWN ? ` and ${unknown.length - SHOWN_UNKNOWN} more` : '';
  return [
    `${terminal.bold(printable(proposal.name))}: read ${proposal.read.map(printable).join(', ') || 'no manifest'}`,
    ...proposal.folders.map((name) => `  folder  ${name}`),
    ...proposal.sources.map((one) => `  source  ${terminal.bold(one.alias)} ${printable(about(one))}`),
    ...(unknown.length > 0
      ? [`  unknown ${printable(unknown.slice(0, SHOWN_UNKNOWN).join(', '))}${more}`]
      : []),
    ...(isEmpty(proposal)
      ? ['  Nothing to propose: no documentation folders and no packages with known documentation.']
      : []),
    ...(done.written ? [`Added to ${PROJECT_FILE}: ${done.added.map(printable).join(', ')}.`] : []),
    ...(done.added.length === 0 ? [`${PROJECT_FILE} already contains all of it.`] : []),
  ];
}

function about({ package: name, installedVersion, docsVersion, via }: ProposedSource): string {
  const installed = `${name}${installedVersion ? ` ${installedVersion}` : ''}`;
  if (via === 'package') return `${installed}: included in the package`;
  return `${installed}: ${docsVersion ? `documentation of ${docsVersion}` : 'documentation of the latest version'}`;
}

function next(frame: Frame, proposal: Proposal): string[] {
  return [frame.terminal.dim(`Next: ${isEmpty(proposal) ? 'vai ingest <folder>' : 'vai sync'}`)];
}

function isEmpty({ folders, sources }: Proposal): boolean {
  return folders.length + sources.length === 0;
}
