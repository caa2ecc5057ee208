// A folder of documents with an engine over it, in a temporary place, for tests of the graph.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { composeParts } from '../../src/compose.ts';
import { resolveSettings } from '../../src/config/index.ts';
import { localCall, type Call } from '../../src/engine/call.ts';
import type { EngineDeps } from '../../src/engine/deps.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { DEFAULT_GRAPH } from '../../src/config/graph-defaults.ts';
import type { GraphSettings } from '../../src/domain/graph-settings.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import type { Extraction, Extractor, ExtractInput } from '../../src/ports/extractor.ts';
import type { GraphSchema } from '../../src/domain/graph.ts';
import type { Store, Stores } from '../../src/ports/store.ts';
import { tempFolder } from './temp-folder.ts';
import { writerIn } from './write-files.ts';

export interface Folder {
  root: string;
  docs: string;
  data: string;
  write(path: string, text: string | Uint8Array): void;
  remove(path: string): void;
  /** A new engine over the same database, as another process would have. */
  open(options?: OpenOptions): Promise<Engine>;
  close(): Promise<void>;
}

export interface OpenOptions {
  graph?: Partial<GraphSettings>;
  embedder?: Embedder;
  extractor?: Extractor;
  /** What the engine sees of the store. */
  wrap?: (store: Store) => Store;
}

export const call: Call = localCall();

export function graphFolder(name = 'docs'): Folder {
  const root = tempFolder('graph-test');
  const docs = join(root, name);
  const data = join(root, 'data');
  mkdirSync(docs, { recursive: true });
  const engines: Engine[] = [];
  return {
    root,
    docs,
    data,
    write: writerIn(docs),
    remove: (path) => rmSync(join(docs, path), { recursive: true }),
    async open(options = {}) {
      const env = { VAI_HOME: join(root, 'home') };
      const settings = resolveSettings({ env, cwd: root, home: root });
      const graph: GraphSettings = { ...DEFAULT_GRAPH, docs, collection: name, data, ...options.graph };
      const parts = await composeParts({ settings, env, cwd: root, graph });
      const stores = options.wrap ? wrapped(parts.stores, options.wrap) : parts.stores;
      const engine = createEngine({ ...withModels(parts, options), stores });
      engines.push(engine);
      return engine;
    },
    async close() {
      for (const engine of engines) await engine.close();
    },
  };
}

function wrapped(stores: Stores, wrap: (store: Store) => Store): Stores {
  const known = new Map<Store, Store>();
  const open = async (database: string): Promise<Store> => {
    const store = await stores.open(database);
    return known.get(store) ?? known.set(store, wrap(store)).get(store)!;
  };
  return { ...stores, open };
}

function withModels(parts: EngineDeps, { embedder, extractor }: OpenOptions): EngineDeps {
  return {
    ...parts,
    models: {
      ...parts.models,
      ...(embedder ? { embedder: async () => embedder } : {}),
      ...(extractor ? { extractor: async () => extractor } : {}),
    },
  };
}

export interface CountingEmbedder extends Embedder {
  texts: string[];
  calls: number;
  inFlight: number;
  maxInFlight: number;
}

/** A folder for the length of some work. */
export async function using(work: (folder: Folder) => Promise<void>, name?: string): Promise<void> {
  const folder = graphFolder(name);
  try {
    await work(folder);
  } finally {
    await folder.close();
  }
}

/** Hashed bags of words: related texts are near each other, the same text always the same vector. */
export function countingEmbedder(
  options: {
    model?: string;
    dimensions?: number;
    fail?: (text: string) => Error | undefined;
    hosted?: boolean;
  } = {},
): CountingEmbedder {
  const { model = 'fake-embed', dimensions = 64 } = options;
  const embedder: CountingEmbedder = {
    model,
    dimensions,
    hosted: options.hosted ?? false,
    trust: 0.5,
    texts: [],
    calls: 0,
    inFlight: 0,
    maxInFlight: 0,
    async embed(texts, { role }) {
      embedder.inFlight += 1;
      embedder.maxInFlight = Math.max(embedder.maxInFlight, embedder.inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      embedder.inFlight -= 1;
      const bad = texts.map((text) => options.fail?.(text)).find((error) => error);
      if (bad) throw bad;
      if (role === 'document') {
        embedder.calls += 1;
        embedder.texts.push(...texts);
      }
      return { vectors: texts.map((text) => bag(text, dimensions)), tokens: texts.length, requests: 1 };
    },
  };
  return embedder;
}

function bag(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7;
    for (const letter of word) hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) >>> 0;
    vector[hash % dimensions]! += 1;
  }
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}

export interface CountingExtractor extends Extractor {
  asked: string[];
}

/** Reads lines `entity Name TYPE` and `relation A TYPE B`, as an obedient hosted model would. */
export function countingExtractor(
  options: { model?: string; fail?: (input: ExtractInput) => Error | undefined } = {},
): CountingExtractor {
  const extractor: CountingExtractor = {
    provider: 'fake',
    model: options.model ?? 'fake-extract',
    version: 'fake-1',
    hosted: true,
    price: { input: 1, output: 1 },
    asked: [],
    async extract(input, schema) {
      extractor.asked.push(input.text);
      const error = options.fail?.(input);
      if (error) throw error;
      return readLines(input, schema);
    },
  };
  return extractor;
}

function readLines(input: ExtractInput, schema: GraphSchema): Extraction {
  const found: Extraction = { entities: [], relations: [], inputTokens: 100, outputTokens: 10 };
  input.text.split('\n').forEach((line, at) => {
    const place = { startLine: input.startLine + at, endLine: input.startLine + at };
    const entity = /^entity (.+) ([A-Z_]+)$/.exec(line);
    if (entity)
      found.entities.push({
        name: entity[1]!,
        type: schema.entityTypes.includes(entity[2]!) ? entity[2]! : 'OTHER',
        ...place,
      });
    const relation = /^relation (.+?) ([A-Z_]{3,}) (.+)$/.exec(line);
    if (relation)
      found.relations.push({
        source: relation[1]!,
        target: relation[3]!,
        type: schema.relationTypes.includes(relation[2]!) ? relation[2]! : 'OTHER',
        ...place,
      });
  });
  return found;
}
