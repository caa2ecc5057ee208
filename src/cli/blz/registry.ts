// blz registry check: whether the addresses of the registry still serve documentation. Asks the network for each.

import type { Command } from 'commander';
import { atMost } from '../../domain/few-at-a-time.ts';
import { toVaiError } from '../../domain/errors.ts';
import type { RegistryEntry } from '../../ports/registry.ts';
import { usage, type Frame } from '../frame.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';
import { plural } from '../../tools/shared/text.ts';

interface Checked {
  id: string;
  url: string;
  ok: boolean;
  message: string;
}

/** Entries that are asked at the same time; each is another site. */
const TOGETHER = 4;

export function registerRegistry(program: Command, frame: Frame): void {
  const registry = program.command('registry').description('the list of sources known by name');
  const check = registry
    .command('check')
    .description('check that every address in the registry serves documentation')
    .argument('[id...]', 'registry ids (default: all)');
  withFormat(check)
    .addHelpText('after', '\nExamples:\n  $ vai docs registry check\n  $ vai docs registry check bun react')
    .action((ids: string[], options: OutputOptions) => run(frame, ids, options));
}

async function run(frame: Frame, ids: readonly string[], options: OutputOptions): Promise<void> {
  const engine = await frame.engine();
  const entries = chosen(await engine.docs.registry(frame.call()), ids);
  let done = 0;
  const results = await frame.withBar(({ progress }) =>
    atMost(TOGETHER, entries, async (entry) => {
      const checked = await checkOne(frame, entry);
      progress?.({ done: ++done, total: entries.length, message: entry.id });
      return checked;
    }),
  );
  const failed = results.filter(({ ok }) => !ok);
  const { terminal } = frame;
  show(frame, options, {
    json: { checked: results.length, failed: failed.length, results },
    items: results,
    text: () =>
      [
        ...results.map(
          ({ id, ok, message }) =>
            `${ok ? terminal.green('✓') : terminal.red('✗')} ${terminal.bold(id)}: ${message}`,
        ),
        `${results.length - failed.length} of ${results.length} serve documentation.`,
      ].join('\n'),
  });
  if (failed.length > 0) frame.fail(5);
}

function chosen(entries: readonly RegistryEntry[], ids: readonly string[]): readonly RegistryEntry[] {
  const unknown = ids.find((id) => !entries.some((entry) => entry.id === id));
  if (unknown !== undefined)
    throw usage(`\`${unknown}\` is not in the registry.`, 'Look for it with `blz lookup <word>`.');
  return ids.length === 0 ? entries : entries.filter(({ id }) => ids.includes(id));
}

async function checkOne(frame: Frame, { id, url }: RegistryEntry): Promise<Checked> {
  try {
    const engine = await frame.engine();
    const { lineCount, documents, finalUrl } = await engine.docs.analyse(frame.call(), { alias: id });
    const what = [
      ...(documents === undefined ? [] : [plural(documents, 'document')]),
      plural(lineCount, 'line'),
    ].join(', ');
    return { id, url, ok: true, message: `${what} at ${finalUrl}` };
  } catch (thrown) {
    const { code, message } = toVaiError(thrown);
    if (code === 'CANCELLED' || code === 'OFFLINE') throw thrown;
    return { id, url, ok: false, message };
  }
}
