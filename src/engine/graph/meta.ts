// What an index was made with, and what has changed since. The record is stored in the collection and, for people and
// other tools, in `flowrag.meta.json`; if the two differ, the database is right.

import { hash, randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkProfile } from '../../domain/chunk.ts';
import type { Collection } from '../../domain/collection.ts';
import type { FieldDefinition, GraphSchema } from '../../domain/graph.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Extractor } from '../../ports/extractor.ts';
import { makeFolder } from '../../make-folder.ts';
import { INDEX_VERSION } from '../index/prepare.ts';
import { embedderModel, extractorModel, type GraphSettings } from '../../domain/graph-settings.ts';

export const META_FILE = 'flowrag.meta.json';
const FORMAT = 1;

export interface GraphMeta {
  formatVersion: number;
  configHash: string;
  embedder: { provider: string; model: string; dimensions: number };
  extractor: { provider: string; model: string; promptVersion: string };
  schema: Pick<
    GraphSchema,
    'entityTypes' | 'relationTypes' | 'documentFields' | 'entityFields' | 'relationFields'
  >;
  chunker: { version: string; target: number };
  lastIndexedAt: string;
  documentCount: number;
}

export interface ConfigChange {
  severity: 'breaking' | 'minor';
  message: string;
}

/** The order of types does not matter; their names and the fields do. */
export function schemaFingerprint(schema: GraphSchema): string {
  const fields = (definitions: Record<string, FieldDefinition>) =>
    Object.entries(definitions)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, field.type, [...(field.values ?? [])].sort(), field.default ?? null]);
  const sorted = (record: Record<string, string[]> | undefined) =>
    Object.entries(record ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, values]) => [name, [...values].sort()]);
  return fingerprint([
    [...schema.entityTypes].sort(),
    [...schema.relationTypes].sort(),
    fields(schema.documentFields),
    fields(schema.entityFields),
    fields(schema.relationFields),
    sorted(schema.lexicon),
    sorted(schema.aliases),
  ]);
}

function fingerprint(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex').slice(0, 16);
}

export interface MadeWith {
  settings: GraphSettings;
  embedder: Pick<Embedder, 'model' | 'dimensions'>;
  extractor: Pick<Extractor, 'provider' | 'model' | 'version'>;
  profile: ChunkProfile;
}

export function metaRecord(made: MadeWith, at: string, documents: number): GraphMeta {
  const { settings, embedder, extractor, profile } = made;
  const { entityTypes, relationTypes, documentFields, entityFields, relationFields } = settings.schema;
  const record = {
    embedder: {
      provider: settings.embedder.provider,
      model: embedder.model,
      dimensions: embedder.dimensions,
    },
    extractor: { provider: extractor.provider, model: extractor.model, promptVersion: extractor.version },
    schema: { entityTypes, relationTypes, documentFields, entityFields, relationFields },
    chunker: { version: INDEX_VERSION, target: profile.size },
  };
  return {
    formatVersion: FORMAT,
    configHash: fingerprint(record),
    ...record,
    lastIndexedAt: at,
    documentCount: documents,
  };
}

export function readMeta(collection: Pick<Collection, 'extra'> | undefined): GraphMeta | undefined {
  const found = collection?.extra?.['flowrag'];
  return typeof found === 'object' && found !== null && 'embedder' in found
    ? (found as GraphMeta)
    : undefined;
}

/** Written whole or not at all: a reader never sees half a file. */
export async function writeMetaFile(folder: string, meta: GraphMeta): Promise<void> {
  makeFolder(folder);
  const temporary = join(folder, `.${META_FILE}.${randomBytes(4).toString('hex')}`);
  await writeFile(temporary, `${JSON.stringify(meta, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, join(folder, META_FILE));
}

/** What the config asks for that the index was not made with. A collection without a record has not changed. */
export function configChanges(
  settings: GraphSettings,
  meta: GraphMeta | undefined,
  dimensions: number | undefined,
): ConfigChange[] {
  if (!meta) return [];
  const changes: ConfigChange[] = [];
  const model = embedderModel(settings);
  const wanted = settings.embedder.dimensions ?? dimensions;
  const sameModel = meta.embedder.model === model;
  if (!sameModel || (wanted !== undefined && wanted !== meta.embedder.dimensions)) {
    const was = `${meta.embedder.model} (${meta.embedder.dimensions})`;
    const is = `${model}${wanted === undefined ? '' : ` (${wanted})`}`;
    changes.push({
      severity: 'breaking',
      message: `The embedder changed from ${was} to ${is}: call flowrag_index to embed everything again.`,
    });
  }
  const before = schemaFingerprint({ ...settings.schema, ...meta.schema });
  if (before !== schemaFingerprint(settings.schema))
    changes.push({
      severity: 'minor',
      message: 'The schema changed: the next flowrag_index reads the documents again.',
    });
  const extractor = extractorModel(settings);
  if (meta.extractor.model !== extractor)
    changes.push({
      severity: 'minor',
      message: `The extractor changed from ${meta.extractor.model} to ${extractor}: new and changed text uses it, the rest after flowrag_index with force.`,
    });
  if (meta.chunker.version !== INDEX_VERSION)
    changes.push({
      severity: 'minor',
      message: 'Texts are chunked differently now: the next flowrag_index chunks them again.',
    });
  return changes;
}
