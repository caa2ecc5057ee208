// The typed graph of a collection, brought in step with its texts by an extractor that learns names from all of them. What
// each document shows of names is surveyed once and added up; documents are read again only where they changed or hold a
// name that was decided differently since. What was done is noted on the way, so that a run that ends early goes on later.

import { hash } from 'node:crypto';
import type { DocumentInfo } from '../../domain/document.ts';
import { throwIfAborted, toVaiError } from '../../domain/errors.ts';
import type { GraphSchema } from '../../domain/graph.ts';
import type { CorpusReader, CorpusSum, Extractor, Knowledge } from '../../ports/extractor.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import { allDocuments } from '../documents.ts';
import { distribute, keyMaker, type Contributing } from './annotate.ts';
import { schemaFingerprint } from './meta.ts';
import { inGroups } from '../../domain/few-at-a-time.ts';
import { isCode } from '../../domain/symbols.ts';
import { relatedCode } from './code/relate.ts';
import { keptStatements } from './statements.ts';
import type { IndexFailure } from '../index/types.ts';

const SURVEYS = 'graph-surveys';
const STATES = 'graph-states';
/** Documents between two notes of how far it has come. */
const NOTED = 100;
/** Documents that are read at the same time: enough to keep the process busy that reads them. */
const TOGETHER = 20;
/** Surveys of texts that are gone are dropped in the end. */
const MAX_SURVEYS = 256 * 1024 * 1024;
/** Names are not looked for beyond this many characters of a text. */
const MAX_TEXT = 2_000_000;

export interface Relating {
  store: Store;
  collection: string;
  extractor: Extractor & { corpus: CorpusReader };
  schema: GraphSchema;
  call: Pick<Call, 'signal' | 'progress'>;
  fail: (failure: IndexFailure) => void;
  /** Reads every document again. */
  force?: boolean;
}

/** What is known of the last run: which texts are in the sum, what was decided, what is still to be read. */
interface State {
  made: string;
  /** Path of each document to the key of its survey. */
  documents: Record<string, string>;
  pending: string[];
}

export function learnsNames(extractor: Extractor): extractor is Relating['extractor'] {
  return extractor.corpus !== undefined;
}

export async function relate(job: Relating): Promise<void> {
  const made = fingerprint(job);
  const last = job.force === true ? undefined : await loadState(job);
  const before = last?.state.made === made ? last : undefined;
  const known = before?.state.documents ?? {};
  const surveys = await surveysOf(job);
  const sum = job.extractor.corpus.open(before?.sum);
  const changed = await addUp(job, sum, { known, surveys });
  const removed = Object.keys(known).some((path) => !surveys.has(path));
  if (before && changed.length === 0 && !removed && before.state.pending.length === 0) return;
  const knowledge = sum.knowledge(job.schema);
  const again = before
    ? [...changed, ...before.state.pending, ...(await touchedBy(job, knowledge, before.knowledge, surveys))]
    : [...surveys.keys()];
  const pending = [...new Set(again)].filter((path) => surveys.has(path));
  const state: State = { made, documents: Object.fromEntries(surveys), pending };
  // All of it at once: a sum of other documents than the state names could never be put right.
  const { cache } = job.store;
  await cache.put(STATES, new Map([...stateEntry(job, state), ...sumEntries(job, sum, knowledge)]));
  try {
    await readPending(job, state, knowledge);
  } finally {
    await saveState(job, state);
  }
  await job.store.cache.trim(SURVEYS, MAX_SURVEYS);
}

/** How many documents of the collection the graph does not hold as they are now; undefined where none was built. */
export async function unrelated(
  store: Store,
  collection: string,
  documents: number,
): Promise<number | undefined> {
  const bytes = (await store.cache.get(STATES, [collection])).get(collection);
  if (!bytes) return undefined;
  const state = JSON.parse(Buffer.from(bytes).toString('utf8')) as State;
  const related = Object.keys(state.documents).length + (await relatedCode(store, collection));
  return Math.max(0, documents - related) + state.pending.length;
}

function fingerprint({ extractor, schema }: Relating): string {
  return [extractor.provider, extractor.model, extractor.version, schemaFingerprint(schema)].join('/');
}

/** Path of every document and the key of its survey. */
async function surveysOf(job: Relating): Promise<Map<string, string>> {
  const documents = await allDocuments(job.store, job.collection);
  // Code holds no sentences; what it states is read by `code/relate.ts`.
  const prose = documents.filter(({ path }) => !isCode(path));
  return new Map(prose.map((info) => [info.path, surveyKey(job, info)]));
}

/** The kind of a file is part of it: the same text is read differently as Markdown and as YAML. */
function surveyKey({ extractor }: Relating, { sha256, path }: DocumentInfo): string {
  const dot = path.lastIndexOf('.');
  const kind = dot > path.lastIndexOf('/') ? path.slice(dot) : path;
  return hash('sha256', JSON.stringify([extractor.version, sha256, kind]), 'hex');
}

/** Brings the sum from the documents it holds to those there are; gives the paths that are new or changed. */
async function addUp(
  job: Relating,
  sum: CorpusSum,
  { known, surveys }: { known: Record<string, string>; surveys: ReadonlyMap<string, string> },
): Promise<string[]> {
  const gone = Object.entries(known).filter(([path, key]) => surveys.get(path) !== key);
  const come = [...surveys].filter(([path, key]) => known[path] !== key);
  for (const batch of inGroups(gone, NOTED))
    for (const survey of (await surveysBy(job, batch)).values()) sum.remove(survey);
  for (const batch of inGroups(come, NOTED)) {
    throwIfAborted(job.call.signal);
    for (const survey of (await surveysBy(job, batch)).values()) sum.add(survey);
  }
  return come.map(([path]) => path);
}

/** Surveys by path; a text that was not surveyed before is read. */
async function surveysBy(
  job: Relating,
  list: readonly (readonly [path: string, key: string])[],
): Promise<Map<string, Uint8Array>> {
  const { store, collection, extractor, call } = job;
  const { signal } = call;
  const stored = await store.cache.get(SURVEYS, [...new Set(list.map(([, key]) => key))]);
  const found = new Map<string, Uint8Array>();
  const fresh = new Map<string, Uint8Array>();
  const unread = new Map(list.filter(([, key]) => !stored.has(key)).map(([path, key]) => [key, path]));
  await Promise.all(
    [...unread].map(async ([key, path]) => {
      const text = await store.documents.text(collection, path);
      if (text === undefined) return;
      try {
        fresh.set(key, await extractor.corpus.survey({ text: text.slice(0, MAX_TEXT), path }, { signal }));
      } catch (thrown) {
        // Its names are not learned; when it is read for relations it fails again, and that is reported.
        if (toVaiError(thrown).ends !== 'item') throw thrown;
      }
    }),
  );
  for (const [path, key] of list) {
    const survey = stored.get(key) ?? fresh.get(key);
    if (survey) found.set(path, survey);
  }
  await store.cache.put(SURVEYS, fresh);
  return found;
}

/** Documents that hold a name which was decided differently. */
async function touchedBy(
  job: Relating,
  knowledge: Knowledge,
  saved: Uint8Array,
  surveys: ReadonlyMap<string, string>,
): Promise<string[]> {
  const differs = knowledge.differs(saved);
  if (!differs) return [];
  const touched: string[] = [];
  for (const batch of inGroups([...surveys], NOTED))
    for (const [path, survey] of await surveysBy(job, batch)) if (differs(survey)) touched.push(path);
  return touched;
}

async function readPending(job: Relating, state: State, knowledge: Knowledge): Promise<void> {
  const { call } = job;
  const paths = state.pending;
  for (let at = 0; at < paths.length; at += TOGETHER) {
    throwIfAborted(call.signal);
    const next = paths.slice(at, at + TOGETHER);
    const read = await Promise.all(next.map((path) => readOne(job, path, knowledge)));
    // Handed in together, so that a store may share the cost of a commit.
    await Promise.all(next.map((path, index) => writeOne(job, path, read[index])));
    state.pending = paths.slice(at + TOGETHER);
    if (at % NOTED < TOGETHER) await saveState(job, state);
    const done = at + next.length;
    call.progress?.({ done, total: paths.length, message: `relations of ${next.at(-1)}` });
  }
}

/** What each chunk of a document states; undefined where it could not be read. */
async function readOne(
  job: Relating,
  path: string,
  knowledge: Knowledge,
): Promise<Contributing[] | undefined> {
  const { store, collection, extractor, schema } = job;
  const chunks = await store.documents.chunks(collection, path);
  const text = await store.documents.text(collection, path);
  if (text === undefined) return undefined;
  const input = { text: text.slice(0, MAX_TEXT), headingPath: [], startLine: 1, path };
  try {
    const extraction = await extractor.extract(input, schema, { knowledge, signal: job.call.signal });
    const writes = chunks.map(({ startLine, endLine }): Contributing => ({ startLine, endLine }));
    distribute(writes, { ...extraction, by: extractor.model }, keyMaker(schema));
    await keptStatements(store, chunks, writes);
    return writes;
  } catch (thrown) {
    reportFailure(job, { path, chunks }, thrown);
    return undefined;
  }
}

async function writeOne(job: Relating, path: string, chunks: Contributing[] | undefined): Promise<void> {
  if (!chunks) return;
  try {
    await job.store.graph.annotate(job.collection, path, chunks);
  } catch (thrown) {
    reportFailure(job, { path, chunks }, thrown);
  }
}

/** Reports an error that concerns one document alone; any other ends the run. */
function reportFailure(
  { fail }: Relating,
  { path, chunks }: { path: string; chunks: readonly { endLine: number }[] },
  thrown: unknown,
): void {
  const error = toVaiError(thrown);
  if (error.ends !== 'item') throw error;
  const { code, message } = error;
  fail({ path, startLine: 1, endLine: chunks.at(-1)?.endLine ?? 1, stage: 'extract', code, message });
}

async function loadState({
  store,
  collection,
}: Relating): Promise<{ state: State; sum: Uint8Array; knowledge: Uint8Array } | undefined> {
  const parts = [collection, `${collection}\nsum`, `${collection}\nknowledge`];
  const found = await store.cache.get(STATES, parts);
  const [state, sum, knowledge] = parts.map((part) => found.get(part));
  if (!state || !sum || !knowledge) return undefined;
  return { state: JSON.parse(Buffer.from(state).toString('utf8')) as State, sum, knowledge };
}

async function saveState(job: Relating, state: State): Promise<void> {
  await job.store.cache.put(STATES, stateEntry(job, state));
}

function stateEntry({ collection }: Relating, state: State): Map<string, Uint8Array> {
  return new Map([[collection, Buffer.from(JSON.stringify(state))]]);
}

function sumEntries({ collection }: Relating, sum: CorpusSum, knowledge: Knowledge): [string, Uint8Array][] {
  return [
    [`${collection}\nsum`, sum.save()],
    [`${collection}\nknowledge`, knowledge.bytes],
  ];
}
