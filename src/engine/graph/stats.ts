// What the index contains, what it was made with, and what the config has changed since.

import { formatCitation } from '../../domain/citation.ts';
import { compareText } from '../../domain/text.ts';
import type { SparseSection } from '../../ports/graph-store.ts';
import type { Store } from '../../ports/store.ts';
import { documentsOf } from '../documents.ts';
import type { CollectionView } from '../scope.ts';
import { configChanges, readMeta, type GraphMeta } from './meta.ts';
import { unrelated } from './relate.ts';
import { EMPTY_GRAPH } from './resolve.ts';
import { embedderModel, extractorModel, type GraphSettings } from '../../domain/graph-settings.ts';
import type { GraphStats } from './types.ts';

/** Sparse sections that are shown. */
const SECTIONS = 10;

export async function graphStats(
  store: Store,
  settings: GraphSettings,
  place: {
    collections: readonly CollectionView[];
    scope: readonly string[] | undefined;
    own: CollectionView | undefined;
    /** The caller may see some collections only. */
    limited: boolean;
  },
): Promise<GraphStats> {
  const { collections, scope, own } = place;
  const counts = await store.graph.counts(scope);
  const gaps = await store.graph.gaps(scope, SECTIONS);
  const meta = readMeta(own);
  const sum = (pick: (one: CollectionView) => number) =>
    collections.reduce((total, one) => total + pick(one), 0);
  const { partial, other } = await documentStates(store, collections, settings);
  const changes = configChanges(settings, meta, undefined);
  const vectors = sum((one) => one.stats.vectors);
  return {
    documents: sum((one) => one.stats.documents),
    chunks: sum((one) => one.stats.chunks),
    entities: counts.entities,
    relations: counts.relations,
    vectors,
    vectorsByKind: { chunk: vectors, entity: 0, relation: 0 },
    entitiesByType: counts.byType,
    unrelatedEntities: gaps.unrelated,
    documentsWithoutEntities: gaps.withoutEntities,
    sparseSections: gaps.sections.map(shownGap),
    partialDocuments: partial,
    otherExtractor: other,
    lastIndexedAt: meta?.lastIndexedAt ?? lastWritten(collections) ?? null,
    embedder: describeEmbedder(meta, settings),
    extractor: `${settings.extractor.provider}/${extractorModel(settings)}`,
    configChanges: changes,
    // The size of the file tells of collections too that a limited key may not see.
    bytes: place.limited ? sum((one) => one.stats.bytes) : await store.bytes(),
    warnings: [
      ...settings.warnings,
      ...changes.map((change) => change.message),
      ...(counts.entities === 0 ? [EMPTY_GRAPH] : []),
      ...(await incomplete(store, collections)),
    ],
  };
}

/** A graph over collections that were ingested otherwise has no record of its own. */
function lastWritten(collections: readonly CollectionView[]): string | undefined {
  const filled = collections.filter(({ stats }) => stats.documents > 0);
  return filled
    .map(({ updatedAt }) => updatedAt)
    .sort(compareText)
    .at(-1);
}

function shownGap({ collection, path, startLine, endLine, headingPath, entities, relations }: SparseSection) {
  const citation = formatCitation({ collection, path, ranges: [{ start: startLine, end: endLine }] });
  return { citation, headingPath, entities, relations };
}

/** Told where a run was stopped before it had read all documents for relations. */
async function incomplete(store: Store, collections: readonly CollectionView[]): Promise<string[]> {
  const warnings: string[] = [];
  for (const { name, stats } of collections) {
    const missing = (await unrelated(store, name, stats.documents)) ?? 0;
    if (missing > 0)
      warnings.push(
        `The graph of ${name} is incomplete: ${missing} of ${stats.documents} documents have not been read for relations yet. Index again to continue.`,
      );
  }
  return warnings;
}

function describeEmbedder(meta: GraphMeta | undefined, settings: GraphSettings): string {
  return meta ? `${meta.embedder.model} (${meta.embedder.dimensions})` : embedderModel(settings);
}

async function documentStates(
  store: Store,
  collections: readonly CollectionView[],
  settings: GraphSettings,
): Promise<{ partial: number; other: number }> {
  let partial = 0;
  let other = 0;
  const current = `/${extractorModel(settings)}/`;
  for (const collection of collections) {
    for await (const document of documentsOf(store, collection.name)) {
      if (document.partial) partial += 1;
      const extractor = document.indexedWith?.graph?.extractor;
      if (extractor !== undefined && !extractor.includes(current)) other += 1;
    }
  }
  return { partial, other };
}
