// Documentation sources: whether they were looked at lately, and what the last refresh said.

import type { Engine } from '../../engine/engine.ts';
import type { InstalledSource } from '../../engine/docs/types.ts';
import { plural } from '../../tools/shared/text.ts';
import type { Frame } from '../frame.ts';
import { attempt, ok, warning, type Finding } from './finding.ts';

export async function checkSources(frame: Frame): Promise<Finding[]> {
  return attempt('sources', async () => {
    const engine = await frame.engine();
    const { sources } = await engine.docs.list(frame.call());
    const fetched = sources.filter(
      (source): source is InstalledSource => source.kind === 'installed' && source.url !== null,
    );
    if (fetched.length === 0) return [];
    const found = await Promise.all(fetched.map((source) => checkSource(engine, frame, source)));
    const wrong = found.flat();
    return wrong.length > 0 ? wrong : [ok('sources', `${plural(fetched.length, 'source')}, all up to date.`)];
  });
}

async function checkSource(engine: Engine, frame: Frame, { alias, stale }: InstalledSource) {
  const [last] = await engine.docs.history(frame.call(), { alias, limit: 1 });
  if (last?.result === 'held')
    return [
      warning(
        'sources',
        `${alias}: its new version lost most of its lines and is held.`,
        `blz update ${alias} --force`,
      ),
    ];
  if (last?.result === 'failed')
    return [warning('sources', `${alias}: its last refresh failed.`, `blz update ${alias}`)];
  return stale
    ? [warning('sources', `${alias}: not looked at for 30 days or more.`, `blz update ${alias}`)]
    : [];
}
