// vai init: proposes the documentation of a project's dependencies and its own texts, and writes .vai.json.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { toVaiError } from '../../domain/errors.ts';
import { plural } from '../../tools/shared/text.ts';
import type { Frame } from '../frame.ts';
import { extendProject } from '../init/extend.ts';
import type { Proposal } from '../init/propose.ts';
import { printable } from '../terminal.ts';

interface Options {
  install?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function registerInit(program: Command, frame: Frame): void {
  program
    .command('init')
    .description('propose what this project should know and write it to .vai.json')
    .option('--install', 'also ingest the folders and add the documentation sources')
    .option('--dry-run', 'show the proposal and write nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai init --dry-run\n  $ vai init --install')
    .action((options: Options) => init(frame, options));
}

async function init(frame: Frame, options: Options): Promise<void> {
  const { propose } = await import('../init/propose.ts');
  const engine = await frame.engine();
  const proposal = propose(frame.cwd, await engine.docs.registry(frame.call()));
  const file = join(frame.cwd, '.vai.json');
  const { text, added } = extendProject(existsSync(file) ? readFileSync(file, 'utf8') : undefined, proposal);
  const write = !options.dryRun && added.length > 0;
  if (write) await writeProject(frame, file, text);
  const installed = options.install && !options.dryRun ? await install(frame, proposal) : [];
  if (frame.wantsJson(options)) return frame.printJson({ ...proposal, added, written: write, installed });
  frame.print(
    describe(frame, proposal, {
      added,
      written: write,
      installed: options.install ?? false,
      results: installed,
    }),
  );
}

/** A project that was trusted before stays so: it is the user who changes the file. */
async function writeProject(frame: Frame, file: string, text: string): Promise<void> {
  const { trustIn, trustProject } = await import('../../config/trust.ts');
  const { home } = await frame.settings();
  const trusted = trustIn(home)(frame.cwd) === 'trusted';
  writeFileSync(file, text);
  if (trusted) await trustProject(home, frame.cwd);
}

interface Installed {
  what: string;
  ok: boolean;
  message: string;
}

/** One failure (no network, a moved page) does not stop the rest. */
async function install(frame: Frame, proposal: Proposal): Promise<Installed[]> {
  const engine = await frame.engine();
  const call = frame.call({ bar: true });
  const results: Installed[] = [];
  const attempt = async (what: string, work: () => Promise<string>) => {
    try {
      results.push({ what, ok: true, message: await work() });
    } catch (thrown) {
      results.push({ what, ok: false, message: toVaiError(thrown).message });
    } finally {
      call.bar.end();
    }
  };
  if (proposal.folders.length > 0) {
    await attempt(proposal.name, async () => {
      const paths = proposal.folders.map((name) => join(frame.cwd, name));
      const { run, totals } = await engine.ingest.files(call, { paths, collection: proposal.name });
      return `${plural(run.added + run.changed + run.unchanged, 'file')}, ${plural(totals.chunks, 'chunk')}`;
    });
  }
  for (const { alias } of proposal.sources) {
    await attempt(alias, async () => (await engine.docs.add(call, { alias })).message);
  }
  if (results.some((result) => !result.ok)) frame.fail(5);
  return results;
}

function describe(
  frame: Frame,
  proposal: Proposal,
  done: { added: string[]; written: boolean; installed: boolean; results: Installed[] },
): string {
  const { terminal } = frame;
  const empty = proposal.folders.length + proposal.sources.length === 0;
  const lines = [
    `${terminal.bold(printable(proposal.name))}: read ${proposal.read.join(', ') || 'no manifest'}`,
    ...proposal.folders.map((name) => `  folder  ${name}`),
    ...proposal.sources.map(
      (one) =>
        `  source  ${terminal.bold(one.alias)} for ${printable(one.packages.join(', '))}${one.version ? ` ${printable(one.version)}` : ''}`,
    ),
    ...(empty ? ['  Nothing to propose: no folder of documents, no package with known documentation.'] : []),
    ...done.results.map(
      (result) =>
        `${result.ok ? terminal.green('✓') : terminal.red('✗')} ${result.what}: ${printable(result.message)}`,
    ),
  ];
  if (done.written) lines.push(`Added to .vai.json: ${done.added.map(printable).join(', ')}.`);
  else if (done.added.length === 0 && !empty) lines.push('.vai.json holds all of it already.');
  const next = empty ? 'vai ingest <folder>' : 'vai init --install';
  if (!done.installed) lines.push(terminal.dim(`Next: ${next}`));
  return lines.join('\n');
}
