// vai sync: brings the knowledge base in step with the project's .vai.json and lockfiles. An address that is not in the
// registry, and a collection that this project did not create, are touched only if the user agrees.

import { plural } from '../../tools/shared/text.ts';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { SyncPlan } from '../../engine/project/plan.ts';
import type { SyncOutcome } from '../../engine/project/sync.ts';
import { agreed, canAsk } from '../confirm.ts';
import type { Frame } from '../frame.ts';
import { outcomeMark, projectHere } from './project.ts';
import { printable } from '../terminal.ts';

interface Options {
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function registerSync(program: Command, frame: Frame): void {
  program
    .command('sync')
    .description(
      'install the documentation that .vai.json names, at the versions in the lockfiles, and ingest its folders',
    )
    .option('--dry-run', 'show what would be done')
    .option('-y, --yes', 'do not ask before fetching an address that is not in the registry')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai sync --dry-run\n  $ vai sync')
    .action(async (options: Options) => {
      if (options.dryRun) {
        const plan = await planOf(frame);
        return frame.wantsJson(options) ? frame.printJson(plan) : frame.print(describePlan(plan).join('\n'));
      }
      const { outcomes, lines } = await runSync(frame, options);
      if (frame.wantsJson(options)) frame.printJson({ outcomes });
      else frame.print(lines.join('\n'));
    });
}

async function planOf(frame: Frame): Promise<SyncPlan> {
  const project = await projectHere(frame);
  const engine = await frame.engine();
  return engine.project.plan(frame.call(), { ...project, folder: dirname(project.file) });
}

/** Also what `vai init --install` does. */
export async function runSync(
  frame: Frame,
  options: Pick<Options, 'yes'>,
): Promise<{ outcomes: SyncOutcome[]; lines: string[] }> {
  const plan = await planOf(frame);
  const engine = await frame.engine();
  const agrees = await consent(frame, plan, options);
  const outcomes = await frame.withBar((call) => engine.project.sync(call, { plan, agreed: agrees }));
  if (outcomes.some(({ action }) => action === 'failed')) frame.fail(5);
  const { terminal } = frame;
  const lines = outcomes.map(({ name, action, version, message }) => {
    const mark = outcomeMark(terminal, action);
    return `${mark} ${action.padEnd(7)} ${terminal.bold(printable(name))}${version ? ` ${printable(version)}` : ''}: ${printable(message)}`;
  });
  return { outcomes, lines: lines.length > 0 ? lines : ['The project lists nothing to install.'] };
}

/** Where nobody can answer, it is a no. */
async function consent(frame: Frame, plan: SyncPlan, { yes }: Pick<Options, 'yes'>): Promise<boolean> {
  const asks = [
    ...plan.sources.flatMap(({ ask, alias, url }) =>
      ask ? [`${alias}: fetch ${url}, which is not in the registry`] : [],
    ),
    ...(plan.own?.ask
      ? [`${plan.own.collection}: write to a collection that this project did not create`]
      : []),
  ];
  if (asks.length === 0 || yes) return true;
  for (const line of asks) frame.note(printable(line));
  if (!canAsk(frame)) {
    frame.note('Skipped, because this is not an interactive terminal; --yes agrees to all of it.');
    return false;
  }
  return agreed(frame, 'Continue with all of this?');
}

function describePlan({ own, sources }: SyncPlan): string[] {
  const folders = own
    ? [
        `index   ${printable(own.collection)}: ${plural(own.paths.length, 'folder or file', 'folders and files')}`,
      ]
    : [];
  const lines = sources.map(({ action, alias, docs, url, message, ask }) => {
    const what = [docs?.version, url ?? (docs?.via === 'package' ? 'came with the package' : ''), message]
      .filter(Boolean)
      .join(', ');
    return `${action.padEnd(7)} ${printable(alias)}${what ? `: ${printable(what)}` : ''}${ask ? ' (asks first)' : ''}`;
  });
  return [...folders, ...lines];
}
