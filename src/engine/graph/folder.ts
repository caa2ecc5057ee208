// The folder of documents that a FlowRAG config names, kept in step with its collection: an index run in which every
// document is also read for entities and relations.

import { stat } from 'node:fs/promises';
import type { Metadata } from '../../domain/document.ts';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import type { FieldDefinition } from '../../domain/graph.ts';
import type { Extractor } from '../../ports/extractor.ts';
import { mayUse, requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { allDocuments } from '../documents.ts';
import { modelsFor } from '../spending.ts';
import { indexFiles } from '../index/run.ts';
import { addFailure, sourceAfter } from '../index/report.ts';
import type { Annotator, IndexFailure, IndexReport } from '../index/types.ts';
import { notOpen, openDatabase } from '../scope.ts';
import { annotate, type AnnotateJob } from './annotate.ts';
import { requireOwn, requireWithin } from './claim.ts';
import { configChanges, metaRecord, readMeta, schemaFingerprint, writeMetaFile } from './meta.ts';
import { nameAll, type NamingCall } from './naming.ts';
import { relateCode } from './code/relate.ts';
import { learnsNames, relate } from './relate.ts';
import { DEFAULT_MAX_COST, embedderModel, type GraphSettings } from '../../domain/graph-settings.ts';

export async function indexFolder(
  deps: EngineDeps,
  settings: GraphSettings,
  call: Call,
  force: boolean,
): Promise<IndexReport> {
  requireScope(call.principal, 'write');
  const { docs, collection } = await folderOf(settings);
  if (!mayUse(call.principal, collection)) throw notOpen('indexed folder');
  const store = await openDatabase(deps, call, settings.db, 'create');
  const extractor = await openModels(modelsFor(deps, call.principal), settings);
  const existing = await store.collections.get(collection);
  await requireOwn(store, existing, docs);
  const before = readMeta(existing);
  return indexFiles(
    deps,
    call,
    {
      paths: [docs],
      db: settings.db,
      collection,
      model: embedderModel(settings),
      dimensions: settings.embedder.dimensions,
      include: settings.include,
      exclude: settings.exclude,
      maxBytes: settings.maxBytes,
      sync: true,
      force,
    },
    {
      owned: true,
      remodel: true,
      annotator: createAnnotator(settings, extractor, { cache: store.cache, signal: call.signal }),
      async complete(report, target) {
        const embedder = target.collection.embedding!;
        const { warnings } = report;
        const changes = configChanges(settings, before, embedder.dimensions);
        warnings.unshift(...settings.warnings, ...changes.map((change) => change.message));
        const after = namingCall(call, report);
        const fail = (failure: IndexFailure) => addFailure(report, failure);
        const job = { store, collection, call: after, fail, force };
        if (learnsNames(extractor)) await relate({ ...job, extractor, schema: settings.schema });
        await relateCode({ ...job, worker: deps.worker }, await allDocuments(store, collection));
        const { entities, relations } = await store.graph.counts([collection]);
        Object.assign(report.totals, { entities, relations });
        await nameAll(store, { collection, warnings }, after);
        const at = deps.now().toISOString();
        const meta = metaRecord(
          { settings, embedder, extractor, profile: target.chunking(undefined) },
          at,
          report.totals.documents,
        );
        if (settings.data !== undefined) {
          await writeMetaFile(settings.data, meta).catch(() =>
            warnings.push('flowrag.meta.json could not be written; the database holds the same record.'),
          );
        }
        return {
          source: sourceAfter(
            report,
            { kind: 'folder', location: docs },
            { at, before: target.collection.source },
          ),
          extra: { flowrag: meta },
        };
      },
    },
  );
}

/** What is missing is said before anything changes, and all of it at once; then what works without. */
async function openModels(models: ReturnType<typeof modelsFor>, settings: GraphSettings): Promise<Extractor> {
  const { provider, model } = settings.extractor;
  const [embedder, extractor] = await Promise.allSettled([
    models.embedder(embedderModel(settings), settings.embedder.dimensions),
    models.extractor(provider, model),
  ]);
  if (embedder.status === 'fulfilled' && extractor.status === 'fulfilled') return extractor.value;
  const errors = [embedder, extractor].flatMap((one) =>
    one.status === 'rejected' ? [toVaiError(one.reason)] : [],
  );
  throw new VaiError(errors[0]!.code, errors.map(({ message }) => message).join(' '), {
    hint: [
      ...errors.map(({ hint }) => hint),
      'With `"embedder": { "provider": "builtin" }` and `"extractor": { "provider": "rules" }` it works at once.',
    ].join(' '),
    cause: errors[0],
  });
}

async function folderOf(settings: GraphSettings): Promise<{ docs: string; collection: string }> {
  if (settings.docs === undefined || settings.collection === undefined) {
    throw new VaiError('CONFIG_MISSING', 'No folder of documents is configured.', {
      hint: 'Set `docs` in flowrag.config.json, or start `flowrag-mcp --docs <folder>`; `vai graph build <collection>` builds the graph of what was ingested.',
    });
  }
  const info = await stat(settings.docs).catch(() => undefined);
  if (!info?.isDirectory()) {
    throw new VaiError('DOCS_NOT_FOUND', 'The configured folder of documents does not exist.', {
      hint: 'Check `docs` in flowrag.config.json (it is relative to that file) or `--docs` of flowrag-mcp.',
    });
  }
  await requireWithin(settings.within, settings.docs);
  return { docs: settings.docs, collection: settings.collection };
}

/** Progress goes on from the files that were gone through. */
function namingCall({ signal, progress }: Call, { run }: IndexReport): NamingCall {
  const done = run.added + run.changed + run.renamed + run.unchanged + run.failed;
  return { signal, progress: ({ message }) => progress?.({ done, message }) };
}

/** One job per run, so that a refused key or a spent budget is remembered over documents. */
function createAnnotator(
  settings: GraphSettings,
  extractor: Extractor,
  { cache, signal }: Pick<AnnotateJob, 'cache' | 'signal'>,
): Annotator {
  const { schema } = settings;
  const maxCost = settings.extractor.maxCost ?? DEFAULT_MAX_COST;
  let job: AnnotateJob | undefined;
  return {
    stamp: { schema: schemaFingerprint(schema), extractor: extractorId(extractor) },
    async annotate(documents, run) {
      for (const { write } of documents)
        write.info.metadata = holdFields(schema.documentFields, write.info.metadata);
      // Names are learned when all documents are stored.
      if (learnsNames(extractor)) return;
      job = Object.assign(job ?? { extractor, schema, cache, maxCost, signal, spent: 0 }, run);
      const current = job;
      // What code states its own parsers tell, when all documents are stored.
      const prose = documents.filter(({ input }) => input.read.syntax !== 'code');
      for (const { write } of prose) await annotate(current, write);
    },
  };
}

/** Front matter named by `documentFields` is held to its definition: enums ignore case, else the default, else nothing. */
function holdFields(fields: Record<string, FieldDefinition>, metadata: Metadata): Metadata {
  const held = { ...metadata };
  for (const [name, field] of Object.entries(fields)) {
    const given = held[name];
    const text = typeof given === 'string' ? given.trim() : undefined;
    const valid =
      field.type === 'enum'
        ? field.values?.find((value) => value.toLowerCase() === text?.toLowerCase())
        : text;
    const kept = valid ?? field.default;
    if (kept === undefined) delete held[name];
    else held[name] = kept;
  }
  return held;
}

function extractorId({
  provider,
  model,
  version,
}: Pick<Extractor, 'provider' | 'model' | 'version'>): string {
  return `${provider}/${model}/${version}`;
}
