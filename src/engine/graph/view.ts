// What a question to the graph may look at: the folder's collection, one that is named, or all the caller may see.

import { VaiError } from '../../domain/errors.ts';
import type { GraphSettings } from '../../domain/graph-settings.ts';
import type { Store } from '../../ports/store.ts';
import { mayUse, requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { ofVersion } from '../project/docs-version.ts';
import {
  openDatabase,
  resolveCollections,
  visibleCollections,
  type CollectionView,
  type ProjectScope,
} from '../scope.ts';
import { configChanges, readMeta } from './meta.ts';

export interface Place {
  db?: string;
  collection?: string;
}

export interface View {
  store: Store;
  collections: CollectionView[];
  scope: string[] | undefined;
  /** Where these are the collections of a project, because none was named. */
  project?: ProjectScope | undefined;
  /** The folder's own collection, once it has been indexed. */
  own: CollectionView | undefined;
  warnings: string[];
}

/** What of a view documents the version asked for. */
export async function ofVersionView(view: View, call: Call, version: string): Promise<View> {
  const visible = await visibleCollections(view.store, call);
  const looked = visible.filter((one) => view.collections.some(({ name }) => name === one.name));
  const { collections, notice } = ofVersion(looked, visible, version);
  return {
    ...view,
    collections,
    scope: collections.map(({ name }) => name),
    warnings: [...view.warnings, ...(notice ? [notice.message] : [])],
  };
}

/** The docs collection where one is configured, else every collection the caller may see. */
export async function openView(
  deps: EngineDeps,
  settings: GraphSettings,
  call: Call,
  place: Place,
): Promise<View> {
  requireScope(call.principal, 'read');
  const store = await openDatabase(deps, call, place.db ?? settings.db, place.db ? 'read' : 'create');
  // The configured collection is one of the configured database, not of another that a caller names.
  const elsewhere = place.db !== undefined && place.db !== settings.db;
  const named = place.collection ?? (elsewhere ? undefined : settings.collection);
  if (named === undefined) {
    const { collections, everything, scope: project } = await resolveCollections(deps, store, call);
    const scope = everything ? undefined : collections.map((one) => one.name);
    return { store, collections, scope, project, own: undefined, warnings: settings.warnings };
  }
  if (place.collection !== undefined) {
    const { collections } = await resolveCollections(deps, store, call, { names: [place.collection] });
    return {
      store,
      collections,
      scope: collections.map((one) => one.name),
      own: undefined,
      warnings: settings.warnings,
    };
  }
  // A collection the caller may not see does not exist for it.
  if (!mayUse(call.principal, named))
    return { store, collections: [], scope: [], own: undefined, warnings: [] };
  const own = (await visibleCollections(store, call)).find((one) => one.name === named);
  const changes = configChanges(settings, readMeta(own), undefined).map((change) => change.message);
  return {
    store,
    collections: own ? [own] : [],
    scope: [named],
    own,
    warnings: [...settings.warnings, ...changes],
  };
}

/** Vectors of two spaces are never compared: another embedder has to index first. */
export function refuseMismatch(settings: GraphSettings, view: View): void {
  const breaking = configChanges(settings, readMeta(view.own), undefined).find(
    (change) => change.severity === 'breaking',
  );
  if (breaking) {
    throw new VaiError('MODEL_MISMATCH', breaking.message, {
      hint: 'Call flowrag_index once, or restore the earlier embedder in the config.',
    });
  }
}
