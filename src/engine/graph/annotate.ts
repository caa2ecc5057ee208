// Entities and relations for the chunks of a document, before it is written. A local extractor reads the whole text,
// because it is free and a document makes more sense than a piece of it; a hosted one reads chunks, through a cache.

import { hash } from 'node:crypto';
import { atMost } from '../../domain/few-at-a-time.ts';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import { firstIndex } from '../../domain/first-index.ts';
import {
  OTHER_TYPE,
  type EntityMention,
  type GraphSchema,
  type RelationMention,
} from '../../domain/graph.ts';
import type { Extraction, Extractor } from '../../ports/extractor.ts';
import type { GraphWrites } from '../../ports/graph-store.ts';
import type { Cache, ChunkWrite, DocumentWrite } from '../../ports/store.ts';
import { graphKey } from '../../domain/name-key.ts';
import { schemaFingerprint } from './meta.ts';
import type { IndexCalls, IndexFailure } from '../index/types.ts';

const EXTRACTION_CACHE = 'extractions';
const AT_ONCE = 4;

export interface AnnotateJob {
  extractor: Extractor;
  schema: GraphSchema;
  cache: Cache;
  calls: IndexCalls;
  fail: (failure: IndexFailure) => void;
  /** US dollars; hosted calls stop when they are spent. */
  maxCost: number | undefined;
  signal: AbortSignal | undefined;
  /** A refused key or a spent budget: no further call is made in this run. */
  stopped?: VaiError;
  spent: number;
}

/** What an extractor reads of a chunk, and what it finds there. */
export type AnnotatedChunk = Contributing & Pick<ChunkWrite, 'headingPath' | 'text'>;

interface Annotated extends Pick<DocumentWrite, 'info' | 'text'> {
  chunks: AnnotatedChunk[];
}

/** Fills in `entities` and `relations`; false when some chunk could not be read. */
export async function annotate(job: AnnotateJob, write: Annotated): Promise<boolean> {
  return job.extractor.hosted ? byChunk(job, write) : byDocument(job, write);
}

async function byDocument(job: AnnotateJob, write: Annotated): Promise<boolean> {
  try {
    const extraction = await job.extractor.extract(
      { text: write.text, headingPath: [], startLine: 1, path: write.info.path },
      job.schema,
      { signal: job.signal },
    );
    distribute(write.chunks, { ...extraction, by: job.extractor.model }, keyMaker(job.schema));
    return true;
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.ends === 'call') throw error;
    job.fail({
      path: write.info.path,
      startLine: 1,
      endLine: write.info.lines,
      stage: 'extract',
      code: error.code,
      message: error.message,
    });
    return false;
  }
}

/** Lines of a chunk, and what it contributes. */
export type Contributing = GraphWrites & Pick<ChunkWrite, 'startLine' | 'endLine'>;

/** Each item goes to the chunk that holds its first line; one mention of each spelling is enough for a chunk. */
export function distribute(
  chunks: readonly Contributing[],
  extraction: Pick<Extraction, 'entities' | 'relations'> & { by: string },
  keyOf: (name: string) => string,
): void {
  const { by } = extraction;
  const holder = holderOf(chunks);
  const listed = new Set<string>();
  const there = new Map<Contributing, Map<string, EntityMention>>();
  const addEntity = (chunk: Contributing | undefined, { of, ...mention }: EntityMention): void => {
    const key = keyOf(of ?? mention.name);
    if (!chunk || key === '') return;
    listed.add(key);
    const own = there.get(chunk) ?? new Map<string, EntityMention>();
    there.set(chunk, own);
    const spelled = `${key}\n${mention.name}`;
    const known = own.get(spelled);
    if (known) {
      if ((mention.description?.length ?? 0) > (known.description?.length ?? 0))
        known.description = mention.description;
      return;
    }
    const kept = { ...within(mention, chunk), key, by };
    own.set(spelled, kept);
    (chunk.entities ??= []).push(kept);
  };
  for (const entity of extraction.entities) addEntity(holder(entity.startLine), entity);
  for (const relation of extraction.relations) {
    const chunk = holder(relation.startLine);
    if (!chunk) continue;
    const sourceKey = keyOf(relation.source);
    const targetKey = keyOf(relation.target);
    // Two spellings of one name point at themselves.
    if (sourceKey === targetKey || sourceKey === '' || targetKey === '') continue;
    // No relation dangles: an end that nobody listed is an entity of no known type.
    for (const [key, name] of [
      [sourceKey, relation.source],
      [targetKey, relation.target],
    ] as const) {
      const { startLine, endLine } = relation;
      if (!listed.has(key)) addEntity(chunk, { name, type: OTHER_TYPE, startLine, endLine });
    }
    (chunk.relations ??= []).push({ ...within(relation, chunk), sourceKey, targetKey, by });
  }
}

/** The chunk a line belongs to: of those that hold it, the one that begins last. */
export function holderOf(chunks: readonly Contributing[]): (line: number) => Contributing | undefined {
  const sorted = [...chunks].sort((a, b) => a.startLine - b.startLine);
  return (line) => {
    const after = firstIndex(sorted.length, (at) => sorted[at]!.startLine > line);
    for (let at = after - 1; at >= 0 && at > after - 8; at--)
      if (sorted[at]!.endLine >= line) return sorted[at];
    return sorted[after] ?? sorted.at(-1);
  };
}

function within<T extends { startLine: number; endLine: number }>(item: T, chunk: Contributing): T {
  const clamp = (line: number): number => Math.min(Math.max(line, chunk.startLine), chunk.endLine);
  return {
    ...item,
    startLine: clamp(item.startLine),
    endLine: Math.max(clamp(item.startLine), clamp(item.endLine)),
  };
}

/** Identity of a name, with the schema's stated aliases applied. */
export function keyMaker(schema: GraphSchema): (name: string) => string {
  const aliases = new Map<string, string>();
  for (const [name, others] of Object.entries(schema.aliases ?? {}))
    for (const other of others) aliases.set(graphKey(other), graphKey(name));
  return (name) => {
    const key = graphKey(name);
    return aliases.get(key) ?? key;
  };
}

async function byChunk(job: AnnotateJob, write: Annotated): Promise<boolean> {
  const keys = write.chunks.map((chunk) => cacheKey(job, chunk));
  const cached = await job.cache.get(EXTRACTION_CACHE, [...new Set(keys)]);
  const keyOf = keyMaker(job.schema);
  let whole = true;
  await atMost(AT_ONCE, write.chunks, async (chunk, at) => {
    const known = cached.get(keys[at]!);
    if (known) job.calls.extractCacheHits += 1;
    const extraction = known ? readCached(known) : await ask(job, write, chunk, keys[at]!);
    if (!extraction) whole = false;
    else distribute([chunk], { ...shifted(extraction, chunk.startLine), by: job.extractor.model }, keyOf);
  });
  return whole;
}

/** Names everything the answer depends on; the line is not part of it, so a moved text costs nothing. */
function cacheKey(job: AnnotateJob, chunk: AnnotatedChunk): string {
  const { provider, model, version } = job.extractor;
  const asked = JSON.stringify([provider, model, version, schemaFingerprint(job.schema), chunk.headingPath]);
  return hash('sha256', asked + chunk.text, 'hex');
}

async function ask(
  job: AnnotateJob,
  write: Annotated,
  chunk: AnnotatedChunk,
  key: string,
): Promise<Relative | undefined> {
  try {
    if (job.stopped) throw job.stopped;
    requireBudget(job);
    job.calls.extractRequests += 1;
    const answer = await job.extractor.extract(
      { text: chunk.text, headingPath: chunk.headingPath, startLine: 1, path: write.info.path },
      job.schema,
      { signal: job.signal },
    );
    count(job, answer);
    const relative: Relative = { entities: answer.entities, relations: answer.relations };
    await job.cache.put(EXTRACTION_CACHE, new Map([[key, Buffer.from(JSON.stringify(relative))]]));
    return relative;
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.ends === 'call') throw error;
    count(job, error.data ?? {});
    if (error.ends === 'run') job.stopped ??= error;
    const { startLine, endLine } = chunk;
    job.fail({
      path: write.info.path,
      startLine,
      endLine,
      stage: 'extract',
      code: error.code,
      message: error.message,
    });
    return undefined;
  }
}

function requireBudget(job: AnnotateJob): void {
  if (job.maxCost === undefined || job.spent < job.maxCost) return;
  throw new VaiError('COST_LIMIT', `Extraction has cost $${job.spent.toFixed(2)}, the limit of one run.`, {
    hint: 'What was read is kept. Raise extractor.maxCost in the config and index again to continue.',
  });
}

function count(job: AnnotateJob, answer: Partial<Pick<Extraction, 'inputTokens' | 'outputTokens'>>): void {
  const input = answer.inputTokens ?? 0;
  const output = answer.outputTokens ?? 0;
  job.calls.inputTokens += input;
  job.calls.outputTokens += output;
  const price = job.extractor.price;
  if (price) job.spent += (input * price.input + output * price.output) / 1e6;
}

interface Relative {
  entities: EntityMention[];
  relations: RelationMention[];
}

function readCached(bytes: Uint8Array): Relative {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as Relative;
}

function shifted(found: Relative, startLine: number): Relative {
  const move = <T extends { startLine: number; endLine: number }>(item: T): T => ({
    ...item,
    startLine: item.startLine + startLine - 1,
    endLine: item.endLine + startLine - 1,
  });
  return { entities: found.entities.map(move), relations: found.relations.map(move) };
}
