// Aggregation: the stages only a server can answer are done here, everything between them by mingo. Scores of searches
// travel in a hidden field, because mingo knows no metadata; `$meta` expressions are rewritten to read it.

import { aggregate } from 'mingo';
import { ServerError } from '../errors.ts';
import { documents, searchable } from '../storage/collection.ts';
import { findCollection, type Catalog } from '../storage/catalog.ts';
import { clone, isDoc } from '../storage/values.ts';
import { describeSearchIndexes } from '../search/indexes.ts';
import { textSearch } from '../search/text.ts';
import { vectorSearch } from '../search/vector.ts';
import { matching, type Reader } from './match.ts';
import { cosmosSearch } from '../search/cosmos.ts';
import type { Profile } from '../profiles.ts';
import type { Doc } from '../wire/framing.ts';

export interface PipelineEnv {
  catalog: Catalog;
  db: string;
  reader: Reader;
  profile: Profile;
}

const META = '__standin_meta';
const SEARCHES = new Set(['$vectorSearch', '$search', '$searchMeta', '$listSearchIndexes']);

export function runPipeline(name: string | undefined, pipeline: Doc[], env: PipelineEnv): Doc[] {
  const stages = pipeline.map(checkStage);
  stages.forEach(([stage], at) => {
    if (at > 0 && SEARCHES.has(stage))
      throw new ServerError(40602, `${stage} is only valid as the first stage in a pipeline`);
  });
  const first = stages[0];
  const begun = source(name, first, env);
  let { docs } = begun;
  let batch: Doc[] = [];
  const flush = (): void => {
    if (batch.length) docs = runMingo(docs, batch, env);
    batch = [];
  };
  for (const [stage, spec] of begun.rest ? stages.slice(1) : stages) {
    env.reader.check();
    if (stage === '$unionWith') {
      flush();
      const union =
        typeof spec === 'string'
          ? { coll: spec, pipeline: [] }
          : (spec as { coll: string; pipeline?: Doc[] });
      docs = [...docs, ...runPipeline(union.coll, union.pipeline ?? [], env)];
    } else batch.push({ [stage]: keepMeta(stage, spec) });
  }
  flush();
  return docs.map((doc) => (META in doc ? strip(doc) : doc));
}

function checkStage(stage: Doc): [string, unknown] {
  const entries = Object.entries(stage);
  if (entries.length !== 1)
    throw new ServerError(40323, 'A pipeline stage specification object must contain exactly one field.');
  return entries[0]!;
}

function source(
  name: string | undefined,
  first: [string, unknown] | undefined,
  env: PipelineEnv,
): { docs: Doc[]; rest: boolean } {
  const collection = name === undefined ? undefined : findCollection(env.catalog, env.db, name);
  const [stage, spec] = first ?? ['', undefined];
  if (SEARCHES.has(stage)) {
    if (env.reader.transaction)
      throw new ServerError(
        263,
        `Operation not permitted in transaction :: caused by :: Aggregation stage ${stage} cannot run within a multi-document transaction.`,
      );
    const { search } = env.profile;
    if (search === 'cosmos' && stage !== '$listSearchIndexes') {
      const scored = cosmosSearch(collection, stage, spec as Doc);
      const meta = (score: number) => ({ [META]: { searchScore: score, vectorSearchScore: score } });
      return { docs: scored.map(({ doc, score }) => ({ ...doc, ...meta(score) })), rest: true };
    }
    if (search !== 'atlas') throw env.profile.noSearch(stage);
    if (stage === '$listSearchIndexes')
      return { docs: collection ? describeSearchIndexes(collection, spec as Doc) : [], rest: true };
    if (!collection) return { docs: [], rest: true };
    const found = [...searchable(collection, env.catalog.searchLagMs)];
    const scored =
      stage === '$vectorSearch'
        ? vectorSearch(collection, found, spec as Doc)
        : textSearch(collection, found, spec as Doc);
    if (stage === '$searchMeta')
      return { docs: [{ count: counted(spec as Doc, scored.length) }], rest: true };
    const meta = stage === '$vectorSearch' ? 'vectorSearchScore' : 'searchScore';
    return { docs: scored.map(({ doc, score }) => ({ ...doc, [META]: { [meta]: score } })), rest: true };
  }
  if (stage === '$collStats')
    return {
      docs: [
        {
          ns: `${env.db}.${name}`,
          count: collection ? [...documents(collection, env.reader.transaction)].length : 0,
        },
      ],
      rest: true,
    };
  if (!collection) return { docs: [], rest: false };
  const filter = stage === '$match' ? (spec as Doc) : {};
  return {
    docs: [...matching(collection, filter, env.reader)].map(([, doc]) => doc),
    rest: stage === '$match',
  };
}

/** Exact only where that is asked for; else a bound that Atlas keeps at 1,000 or above. */
function counted({ count }: Doc, found: number): Doc {
  return isDoc(count) && count.type === 'total' ? { total: found } : { lowerBound: found };
}

function runMingo(docs: Doc[], stages: Doc[], env: PipelineEnv): Doc[] {
  // mingo sets a dotted path inside the input itself; stored documents must stay as they are.
  const nested = stages.some((stage) =>
    Object.keys(stage.$addFields ?? stage.$set ?? {}).some((key) => key.includes('.')),
  );
  try {
    return aggregate(nested ? docs.map(clone) : docs, stages, {
      collectionResolver: (name: string) => {
        const collection = findCollection(env.catalog, env.db, name);
        return collection ? [...documents(collection, env.reader.transaction)] : [];
      },
      scriptEnabled: false,
    });
  } catch (error) {
    if (error instanceof ServerError) throw error;
    throw new ServerError(40324, error instanceof Error ? error.message : 'bad pipeline');
  }
}

/** Reads of `$meta` become reads of the hidden field, which an inclusive projection must not lose. */
function keepMeta(stage: string, spec: unknown): unknown {
  const rewritten = rewriteMeta(spec);
  if (stage !== '$project' || !isDoc(rewritten)) return rewritten;
  const inclusive = Object.entries(rewritten).some(
    ([key, value]) => key !== '_id' && value !== 0 && value !== false,
  );
  return inclusive ? { ...rewritten, [META]: 1 } : rewritten;
}

function rewriteMeta(spec: unknown): unknown {
  if (Array.isArray(spec)) return spec.map(rewriteMeta);
  if (!isDoc(spec)) return spec;
  if (typeof spec.$meta === 'string' && Object.keys(spec).length === 1) return `$${META}.${spec.$meta}`;
  return Object.fromEntries(Object.entries(spec).map(([key, value]) => [key, rewriteMeta(value)]));
}

function strip(doc: Doc): Doc {
  const { [META]: _meta, ...rest } = doc;
  return rest;
}
