// Follows a project while somebody works on it: its own folders, and its sources whenever `.vai.json` or a lockfile
// moves. It cannot ask questions, so anything `vai sync` would ask about is reported and left to it.

import { join } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import { requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase } from '../scope.ts';
import { watchPaths, type Watching } from '../watch.ts';
import { planSync, type OwnStep, type ProjectFile, type SourceStep } from './plan.ts';
import { applySync, type SyncOutcome } from './sync.ts';

/** Of a large monorepo the first ones are watched; `vai sync` follows all. */
const MAX_WATCHED_FILES = 200;

export interface WatchRequest {
  /** The path of `.vai.json`, and what it says now. */
  path: string;
  read: () => Promise<ProjectFile>;
  /** Also write to a collection that this project did not create. */
  agreed: boolean;
  report: (outcome: SyncOutcome | VaiError) => void;
}

export async function watchProject(
  deps: EngineDeps,
  call: Call,
  { path, read, agreed, report }: WatchRequest,
): Promise<Watching> {
  requireScope(call.principal, 'write');
  const store = await openDatabase(deps, call, undefined, 'create');
  const first = await read();
  let { project, own } = await planSync(deps, store, { ...first, sources: [] });
  refuse(first, own, agreed);
  let files: string[] = [];
  let last = '';
  const look = async (): Promise<{ file: ProjectFile; state: string }> => {
    const file = await read();
    const found = await deps.project?.dependencies(file.folder);
    // A missing file may come back: lockfiles are often deleted and recreated.
    const there = (found?.read ?? []).map((name) => join(file.folder, name));
    files = [...new Set([...files, ...there])].slice(0, MAX_WATCHED_FILES);
    return { file, state: JSON.stringify([file, found?.dependencies]) };
  };
  const run = async (): Promise<SyncOutcome[]> => {
    const { file, state } = await look();
    let sources: SourceStep[] = [];
    // Only then: an edit of a text must not look through every package.
    if (state !== last)
      ({ project, own, sources } = { own: undefined, ...(await planSync(deps, store, file)) });
    const owned = await applySync(deps, store, call, {
      plan: { project, ...(own ? { own } : {}), sources: [] },
      agreed,
    });
    const silent = sources.filter(({ ask }) => !ask);
    const done = await applySync(deps, store, call, { plan: { project, sources: silent }, agreed: false });
    last = state;
    return [
      ...owned,
      ...done.filter(({ action }) => action !== 'keep'),
      ...sources.filter(({ ask }) => ask).map(needsSync),
    ];
  };
  await look();
  return watchPaths({
    paths: () => [...(own?.paths ?? []), path, ...files],
    call,
    report: (outcome) => {
      for (const one of outcome instanceof VaiError ? [outcome] : outcome) report(one);
    },
    run,
  });
}

function refuse({ sources }: ProjectFile, own: OwnStep | undefined, agreed: boolean): void {
  if ((own?.paths.length ?? 0) === 0 && sources.length === 0)
    throw new VaiError('CONFIG_MISSING', 'The project names no existing folder and no source.', {
      hint: 'Name its `folders` and a `collection`, or `sources`, in .vai.json.',
    });
  if (own?.ask && !agreed)
    throw new VaiError(
      'NOT_ALLOWED',
      `\`${own.collection}\` is a collection that this project did not create.`,
      { hint: 'Choose another name in .vai.json, or agree with --yes.' },
    );
}

function needsSync({ alias, url }: SourceStep): SyncOutcome {
  const message = `not fetched: ${url} is not in the registry; run \`vai sync\` to agree to it`;
  return { name: alias, action: 'leave', message };
}
