// Documentation sources: when they were last checked, and how the last refresh ended.

import type { Engine } from '../../engine/engine.ts';
import type { Freshness } from '../../engine/docs/freshness.ts';
import type { InstalledSource, RegistrySource } from '../../engine/docs/types.ts';
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
    const found = await Promise.all(fetched.map((source) => checkSource(engine, frame, source)));
    const own = new Set(sources.filter((one) => isOwn(one)).map(({ alias }) => alias));
    const fresh = await engine.docs.freshness(frame.call());
    const wrong = [...found.flat(), ...fresh.flatMap((source) => checkFreshness(source, own))];
    return fresh.length > 0 ? [...wrong, ok('sources', summary(fresh, wrong.length === 0))] : wrong;
  });
}

/** How old and how whole all of them are together. */
function summary(sources: readonly Freshness[], upToDate: boolean): string {
  const [oldest] = sources.map(({ checkedAt }) => checkedAt).sort();
  const checked = `the oldest check was ${oldest}`;
  if (upToDate) return `${plural(sources.length, 'source')}, all up to date; ${checked}.`;
  const [change = 'none'] = sources.flatMap(({ unindexedSince }) => unindexedSince ?? []).sort();
  const sum = (of: 'failed' | 'pending'): number =>
    sources.reduce((total, { pages }) => total + (pages?.[of] ?? 0), 0);
  return `${plural(sources.length, 'source')}; ${checked}; ${sum('failed')} failed and ${sum('pending')} pending pages; oldest change not indexed: ${change}.`;
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
    ? [warning('sources', `${alias}: not checked for 30 days or more.`, `blz update ${alias}`)]
    : [];
}

/** Of the project's own folders: it came neither from an address nor from a folder somebody added. */
function isOwn(source: InstalledSource | RegistrySource): boolean {
  return source.url === null && source.kind === 'installed' && source.location === undefined;
}

/** Incomplete sources, and files that have changed on disk since they were indexed. */
function checkFreshness(source: Freshness, own: ReadonlySet<string>): Finding[] {
  const { alias, pages, incompleteSince, unindexedSince, held } = source;
  const again = own.has(alias) ? 'vai sync' : `blz update ${alias}`;
  const { total, failed, pending } = pages ?? { total: 0, failed: 0, pending: 0 };
  return [
    ...(failed > 0
      ? [warning('sources', `${alias}: ${failed} of ${total} pages could not be read.`, again)]
      : []),
    ...(pending > 0
      ? [
          warning(
            'sources',
            `${alias}: ${plural(pending, 'page')} beyond the limit were left out.`,
            'Add a part of the site, or its repository.',
          ),
        ]
      : []),
    ...(incompleteSince
      ? [warning('sources', `${alias}: a run that began ${incompleteSince} has not ended.`, again)]
      : []),
    ...(unindexedSince && !held
      ? [
          warning(
            'sources',
            `${alias}: files have changed since ${unindexedSince} and are not indexed.`,
            again,
          ),
        ]
      : []),
  ];
}
