// Which database and which collections a call may touch. Every engine method goes through here, so what a key may see
// is decided in one place.

import {
  DEFAULT_COLLECTION,
  checkCollectionName,
  checkDatabaseName,
  collectionNotFound,
  fewNames,
  type Collection,
  type CollectionStats,
} from '../domain/collection.ts';
import { VaiError } from '../domain/errors.ts';
import { nearest } from '../domain/nearest.ts';
import type { Store } from '../ports/store.ts';
import { mayUse, requireCollection, requireScope, type Call } from './call.ts';
import type { EngineDeps } from './deps.ts';
import { ofVersion } from './project/docs-version.ts';

/** Where a call that named nothing was answered from: the collections of the project, and those of it not there yet. */
export interface ProjectScope {
  project: string;
  collections: string[];
  missing: string[];
}

export interface Resolved {
  collections: CollectionView[];
  all: boolean;
  everything: boolean;
  scope?: ProjectScope;
  /** Why nothing is left to search. */
  notice?: { code: string; message: string };
}

export type CollectionView = Collection & { stats: CollectionStats };

/** The name of the database a call is about. */
export function allowedDatabase(deps: EngineDeps, call: Call, db?: string): string {
  const name = checkDatabaseName(db ?? deps.settings.defaultDb);
  const allowed = call.principal.databases;
  if (allowed === '*' || allowed.includes(name)) return name;
  throw new VaiError('NOT_ALLOWED', `The database \`${name}\` is not available to this caller.`, {
    hint: 'Leave `db` out to use the default database, or start the server with --allow-db.',
  });
}

/** None where nothing was written to it yet: opening one that is not there makes its file. */
export async function existingDatabase(
  { stores, settings }: Pick<EngineDeps, 'stores' | 'settings'>,
  name = settings.defaultDb,
): Promise<Store | undefined> {
  return (await stores.has?.(name)) === false ? undefined : stores.open(name);
}

/** Only a call that writes may create a database by naming it; a lookup must leave no trace. */
export async function openDatabase(
  deps: EngineDeps,
  call: Call,
  db?: string,
  may: 'read' | 'create' = 'read',
): Promise<Store> {
  const name = allowedDatabase(deps, call, db);
  const allowed = call.principal.databases;
  const there =
    may === 'create' || name === deps.settings.defaultDb || (await deps.stores.has?.(name)) !== false;
  if (!there) {
    const open = (await deps.stores.list()).filter((other) => allowed === '*' || allowed.includes(other));
    const suggestions = nearest(name, open);
    throw new VaiError('DATABASE_NOT_FOUND', `There is no database \`${name}\`.`, {
      hint: 'Leave `db` out to use the default database; adding a document creates a new one.',
      suggestions,
    });
  }
  return deps.stores.open(name);
}

export async function visibleCollections(store: Store, call: Call): Promise<CollectionView[]> {
  requireScope(call.principal, 'read');
  const all = await store.collections.list();
  return all.filter((collection) => mayUse(call.principal, collection.name));
}

/**
 * The named collections, or those of the project, or the configured default, or all the caller may see but those that
 * want to be named; `all` says that none was named, `everything` that a search needs no restriction, because these are
 * all there are.
 */
export async function resolveCollections(
  deps: EngineDeps,
  store: Store,
  call: Call,
  { names, version }: { names?: readonly string[]; version?: string } = {},
): Promise<Resolved> {
  const visible = await visibleCollections(store, call);
  const resolved = resolveNames(deps, visible, call, names);
  if (version === undefined) return resolved;
  return { ...resolved, ...ofVersion(resolved.collections, visible, version), all: false, everything: false };
}

function resolveNames(
  deps: EngineDeps,
  visible: CollectionView[],
  call: Call,
  names?: readonly string[],
): Resolved {
  // What answers call it when all were searched; so it may also be asked for, past a configured default.
  const open = call.principal.collections === '*';
  const every = () => {
    const others = visible.filter(({ onlyNamed }) => !onlyNamed);
    const collections = others.some(({ stats }) => stats.chunks > 0) ? others : visible;
    return { collections, all: true, everything: open && collections.length === visible.length };
  };
  if (names?.length === 1 && names[0] === '*') return every();
  const { project } = deps.settings;
  if (project && !names?.length) return ofProject(project, visible, call);
  const fallback = defaultFor(deps, call);
  const wanted = names?.length ? names : fallback ? [fallback] : undefined;
  if (!wanted) return every();
  const collections = [...new Set(wanted.map((name) => findCollection(visible, name)))];
  return { collections, all: false, everything: open && collections.length === visible.length };
}

function ofProject(
  { file, collections: named }: NonNullable<EngineDeps['settings']['project']>,
  visible: readonly CollectionView[],
  { principal }: Call,
): Resolved {
  const collections = visible.filter(({ name }) => named.includes(name));
  const there = collections.map(({ name }) => name);
  // A collection the caller may not see is not reported as missing: for this caller it does not exist.
  const missing = named.filter((name) => mayUse(principal, name) && !there.includes(name));
  return {
    collections,
    all: false,
    everything: principal.collections === '*' && collections.length === visible.length,
    scope: { project: file, collections: there, missing },
  };
}

/** Exact name first, then a unique match that differs only in case. */
export function matchCollection(
  visible: readonly CollectionView[],
  name: string,
): CollectionView | undefined {
  const exact = visible.find((collection) => collection.name === name);
  if (exact) return exact;
  const folded = visible.filter((collection) => collection.name.toLowerCase() === name.toLowerCase());
  return folded.length === 1 ? folded[0] : undefined;
}

export function findCollection(visible: readonly CollectionView[], name: string): CollectionView {
  const found = matchCollection(visible, name);
  if (found) return found;
  const names = visible.map((collection) => collection.name);
  throw collectionNotFound(name, {
    suggestions: nearest(name, names),
    ...(names.length > 0 ? { hint: `The collections are ${fewNames(names)}.` } : {}),
  });
}

/** The collection an ingest writes to; it need not exist yet. */
export function writableCollection(deps: EngineDeps, call: Call, name?: string): string {
  requireScope(call.principal, 'write');
  if (name === undefined) {
    const chosen = deps.settings.defaultCollection ?? DEFAULT_COLLECTION;
    if (!mayUse(call.principal, chosen)) throw notOpen('default collection');
    return chosen;
  }
  requireCollection(call.principal, checkCollectionName(name));
  return name;
}

/** The configured collection; for who may not see it there is none. */
function defaultFor(deps: EngineDeps, { principal }: Call): string | undefined {
  const { defaultCollection } = deps.settings;
  return defaultCollection !== undefined && mayUse(principal, defaultCollection)
    ? defaultCollection
    : undefined;
}

/** A configured name that this caller may not see is not revealed to it. */
export function notOpen(what: string): VaiError {
  return new VaiError('NOT_ALLOWED', `The ${what} of this server is not open to this key.`, {
    hint: 'Name a collection of yours; the list of collections shows them.',
  });
}
