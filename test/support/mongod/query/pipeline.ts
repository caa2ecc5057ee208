// Aggregation: the stages only a server can answer are done here, everything between them by mingo. Scores of searches
// travel in a hidden field, because mingo knows no metadata; `$meta` expressions are rewritten to read it.

import { aggregate } from 'mingo';
import { ServerError } from '../errors.ts';
import { documents } from '../storage/collection.ts';
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

export function runPipeline(name: string, pipeline: Doc[], env: PipelineEnv): Doc[] {
  const stages = pipeline.map(checkStage);
  stages.forEach(([stage], at) => {
    if (at > 0 && SEARCHES.has(stage))
      throw new ServerError(40602, `${stage} is only valid as the first stage in a pipeline`);
  });
  const first = stages[0];
  const begun = source(name, first, env);
  env.reader.check();
  const rest = (begun.rest ? stages.slice(1) : stages).map(([stage, spec]) => ({
    [stage]: keepMeta(stage, spec),
  }));
  const docs = rest.length ? runMingo(begun.docs, rest) : begun.docs;
  return docs.map((doc) => (META in doc ? strip(doc) : doc));
}

function checkStage(stage: Doc): [string, unknown] {
  const entries = Object.entries(stage);
  if (entries.length !== 1)
    throw new ServerError(40323, 'A pipeline stage specification object must contain exactly one field.');
  return entries[0]!;
}

function source(
  name: string,
  first: [string, unknown] | undefined,
  env: PipelineEnv,
): { docs: Doc[]; rest: boolean } {
  const collection = findCollection(env.catalog, env.db, name);
  const [stage, spec] = first ?? ['', undefined];
  if (SEARCHES.has(stage)) {
    if (env.reader.transaction)
      throw new ServerError(
        263,
        `Operation not permitted in transaction :: caused by :: Aggregation stage ${stage} cannot run within a multi-document transaction.`,
      );
    const { search } = env.profile;
    if (search === 'cosmos' && stage === '$search') {
      const scored = cosmosSearch(collection, spec as Doc);
      return { docs: withScores(scored, 'searchScore'), rest: true };
    }
    if (search !== 'atlas') throw env.profile.noSearch(stage);
    if (stage === '$listSearchIndexes')
      return { docs: collection ? describeSearchIndexes(collection, spec as Doc) : [], rest: true };
    if (!collection) return { docs: [], rest: true };
    const found = [...documents(collection, undefined)];
    const scored =
      stage === '$vectorSearch'
        ? vectorSearch(collection, found, spec as Doc)
        : textSearch(collection, found, spec as Doc);
    if (stage === '$searchMeta')
      return { docs: [{ count: counted(spec as Doc, scored.length) }], rest: true };
    const meta = stage === '$vectorSearch' ? 'vectorSearchScore' : 'searchScore';
    return { docs: withScores(scored, meta), rest: true };
  }
  if (!collection) return { docs: [], rest: false };
  const filter = stage === '$match' ? (spec as Doc) : {};
  return {
    docs: [...matching(collection, filter, env.reader)].map(([, doc]) => doc),
    rest: stage === '$match',
  };
}

function withScores(scored: { doc: Doc; score: number }[], meta: string): Doc[] {
  return scored.map(({ doc, score }) => ({ ...doc, [META]: { [meta]: score } }));
}

/** Exact only where that is asked for; else a bound that Atlas keeps at 1,000 or above. */
function counted({ count }: Doc, found: number): Doc {
  return isDoc(count) && count.type === 'total' ? { total: found } : { lowerBound: found };
}

function runMingo(docs: Doc[], stages: Doc[]): Doc[] {
  // mingo sets a dotted path inside the input itself; stored documents must stay as they are.
  const nested = stages.some((stage) =>
    Object.keys(stage.$addFields ?? stage.$set ?? {}).some((key) => key.includes('.')),
  );
  try {
    return aggregate(nested ? docs.map(clone) : docs, stages, { scriptEnabled: false });
  } catch (error) {
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
