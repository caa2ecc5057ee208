// Carries out a plan, step by step. One failure (no network, a moved page) does not stop the rest and is reported at
// the end.

import { plural } from '../../domain/text.ts';
import { toVaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import { requireCollection, requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { addSource } from '../docs/add.ts';
import { withRunLock } from '../index/lock.ts';
import { indexFiles } from '../index/run.ts';
import { docsOf, type DocsState } from './docs-version.ts';
import type { OwnStep, SourceStep, SyncPlan } from './plan.ts';

export interface SyncOutcome {
  name: string;
  action: SourceStep['action'] | 'index' | 'failed';
  version?: string;
  message: string;
}

/** `agreed`: what asks may be done. */
export async function applySync(
  deps: EngineDeps,
  store: Store,
  call: Call,
  { plan, agreed }: { plan: SyncPlan; agreed: boolean },
): Promise<SyncOutcome[]> {
  requireScope(call.principal, 'write');
  const outcomes: SyncOutcome[] = [];
  const attempt = async (name: string, work: () => Promise<SyncOutcome>): Promise<void> => {
    try {
      requireCollection(call.principal, name);
      outcomes.push(await work());
    } catch (thrown) {
      const { message, ends } = toVaiError(thrown);
      if (ends === 'run' && call.signal?.aborted) throw thrown;
      outcomes.push({ name, action: 'failed', message });
    }
  };
  const { own } = plan;
  if (own) await attempt(own.collection, () => indexOwn(deps, store, call, { plan, own, agreed }));
  for (const step of plan.sources)
    await attempt(step.alias, () => applyStep(deps, store, call, { step, agreed }));
  return outcomes;
}

async function indexOwn(
  deps: EngineDeps,
  store: Store,
  call: Call,
  { plan, own, agreed }: { plan: SyncPlan; own: OwnStep; agreed: boolean },
): Promise<SyncOutcome> {
  const name = own.collection;
  const left = own.left.length > 0 ? `; not there or not inside the project: ${own.left.join(', ')}` : '';
  if (own.ask && !agreed)
    return {
      name,
      action: 'leave',
      message: 'there is already a collection of this name, which this project did not create',
    };
  if (own.paths.length === 0) return { name, action: 'leave', message: `no folder to read${left}` };
  const indexedAt = deps.now().toISOString();
  const { folders } = own;
  const before = (await store.collections.get(name))?.extra?.['folders'];
  // A folder that is only not there now, on another branch say, keeps its documents.
  const former = Array.isArray(before) ? before.map(String).filter((one) => !folders.includes(one)) : [];
  const { run } = await indexFiles(
    deps,
    call,
    { paths: own.paths, base: own.root, collection: name, sync: true, exclude: [...own.ignore] },
    {
      former,
      complete: async () => ({ extra: { project: plan.project, indexedAt, folders } }),
    },
  );
  const failed = run.failed > 0 ? `, ${run.failed} failed` : '';
  const renamed = run.renamed > 0 ? `, ${run.renamed} renamed` : '';
  const counts = `${run.added} added, ${run.changed} changed${renamed}, ${run.unchanged} unchanged, ${run.deleted} removed${failed}`;
  return { name, action: 'index', message: counts + left };
}

async function applyStep(
  deps: EngineDeps,
  store: Store,
  call: Call,
  { step, agreed }: { step: SourceStep; agreed: boolean },
): Promise<SyncOutcome> {
  const { alias, action, docs } = step;
  const version = docs?.version ? { version: docs.version } : {};
  const done = (message: string): SyncOutcome => ({ name: alias, action, ...version, message });
  if (action === 'remove') {
    await withRunLock(store, alias, () => store.collections.remove(alias));
    return done(step.message ?? 'removed');
  }
  if (action === 'leave' || action === 'keep') {
    if (docs) await keepState(store, alias, docs);
    return done(step.message ?? 'up to date');
  }
  if (step.ask && !agreed)
    return { ...done(`not fetched: ${step.url} is not in the registry`), action: 'leave' };
  if (step.paths) return done(await indexPackage(deps, store, call, step));
  return addAddress(deps, store, call, step);
}

/** Nothing at the address of the version: the latest is used, and the outcome says so. */
async function addAddress(
  deps: EngineDeps,
  store: Store,
  call: Call,
  { alias, url, newest, action, docs }: SourceStep,
): Promise<SyncOutcome> {
  const force = action === 'update';
  try {
    const { message } = await addSource(deps, call, { alias, url: url!, force });
    await keepState(store, alias, docs!);
    return { name: alias, action, ...(docs!.version ? { version: docs!.version } : {}), message };
  } catch (thrown) {
    const { code } = toVaiError(thrown);
    if (newest === undefined || (code !== 'SOURCE_NOT_FOUND' && code !== 'FETCH_FAILED')) throw thrown;
    const { message } = await addSource(deps, call, { alias, url: newest, force });
    const { version, ...rest } = docs!;
    await keepState(store, alias, { ...rest, ...(version ? { missing: version } : {}), from: [newest] });
    return {
      name: alias,
      action,
      message: `${message}; no documentation of ${version} was found; this is the latest`,
    };
  }
}

async function indexPackage(
  deps: EngineDeps,
  store: Store,
  call: Call,
  { alias, paths, docs, action }: SourceStep,
): Promise<string> {
  const { run, totals } = await withRunLock(store, alias, async (lock) => {
    const before = docsOf(await store.collections.get(alias));
    // Texts from other places would stay beside the new ones.
    if (action === 'update' && before?.from.join('\n') !== docs!.from.join('\n'))
      await store.collections.remove(alias);
    return indexFiles(
      deps,
      call,
      { paths: paths!, collection: alias, sync: true },
      { lock, complete: async () => ({ extra: { docs: { ...docs! } } }) },
    );
  });
  return `${plural(totals.documents, 'document')}, ${plural(totals.chunks, 'chunk')}${run.failed > 0 ? `, ${run.failed} failed` : ''}`;
}

async function keepState(store: Store, alias: string, docs: DocsState): Promise<void> {
  await store.collections.change(
    alias,
    (before) => before && { ...before, extra: { ...before.extra, docs: { ...docs } } },
  );
}
