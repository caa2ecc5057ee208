// A folder and a store in memory, with as much of both as an index run asks for, and a record of what it asked.

import { relative } from 'node:path';
import type { Analysable } from '../../../src/domain/analysis.ts';
import type { Collection } from '../../../src/domain/collection.ts';
import type { VaiError } from '../../../src/domain/errors.ts';
import { localCall, type Call } from '../../../src/engine/call.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import { indexFiles, type RunOptions } from '../../../src/engine/index/run.ts';
import type { IndexFilesRequest, IndexReport } from '../../../src/engine/index/types.ts';
import { analyse } from '../../../src/engine/text/analyse.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { Scan } from '../../../src/ports/source.ts';
import type { DocumentWrite, Page, Store } from '../../../src/ports/store.ts';
import type { FileToRead } from '../../../src/ports/worker.ts';

/** A folder that exists; what it contains is made up. */
export const ROOT = import.meta.dirname;
const NOW = '2026-03-01T00:00:00.000Z';

/** What is asked of a model that makes no vectors of its own. */
export function embedderOf(more: Partial<Embedder> = {}): Embedder {
  return {
    model: 'test',
    dimensions: 2,
    hosted: false,
    trust: 1,
    embed: (texts) =>
      Promise.resolve({ vectors: texts.map(() => Float32Array.of(1, 0)), tokens: texts.length, requests: 1 }),
    ...more,
  };
}

export function memoryStore() {
  const collections = new Map<string, Collection>();
  const documents = new Map<string, DocumentWrite>();
  const log: string[] = [];
  const of = (collection: string): DocumentWrite[] =>
    [...documents.values()]
      .filter(({ info }) => info.collection === collection)
      .sort((a, b) => (a.info.path < b.info.path ? -1 : 1));
  const key = (collection: string, path: string): string => `${collection}\n${path}`;
  const statsOf = (name: string) => ({
    documents: of(name).length,
    chunks: of(name).flatMap(({ chunks }) => chunks).length,
    vectors: of(name).flatMap(({ chunks }) => chunks.filter(({ vector }) => vector)).length,
    bytes: of(name).reduce((sum, { info }) => sum + info.bytes, 0),
  });
  const store = {
    database: 'vai',
    collections: {
      list: () => Promise.resolve([...collections.values()]),
      get(name: string) {
        const record = collections.get(name);
        return Promise.resolve(record && { ...record, stats: statsOf(name) });
      },
      change(name: string, edit: (before: Collection | undefined) => Collection | undefined) {
        const changed = edit(collections.get(name));
        if (changed) collections.set(name, changed);
        return Promise.resolve(changed);
      },
      remove(name: string) {
        for (const { info } of of(name)) documents.delete(key(name, info.path));
        return Promise.resolve(collections.delete(name));
      },
    },
    documents: {
      list(collection: string, { limit, after = '' }: Page) {
        const infos = of(collection)
          .map(({ info }) => info)
          .filter(({ path }) => path > after);
        const page = infos.slice(0, limit);
        return Promise.resolve({
          documents: page,
          ...(infos.length > limit ? { next: page.at(-1)!.path } : {}),
        });
      },
      get: (collection: string, path: string) => Promise.resolve(documents.get(key(collection, path))?.info),
      text: (collection: string, path: string) => Promise.resolve(documents.get(key(collection, path))?.text),
      chunks: (collection: string, path: string) =>
        Promise.resolve(
          (documents.get(key(collection, path))?.chunks ?? []).map((chunk, at) => ({
            ...chunk,
            id: `${path} ${at}`,
            title: documents.get(key(collection, path))!.info.title,
          })),
        ),
      replace(write: DocumentWrite) {
        const { collection, path } = write.info;
        log.push(`replace ${path}`);
        const before = documents.get(key(collection, path));
        documents.set(key(collection, path), write);
        return Promise.resolve({
          replaced: before !== undefined,
          chunksRemoved: before?.chunks.length ?? 0,
        });
      },
      move(collection: string, from: string, to: string) {
        log.push(`move ${from} ${to}`);
        const moved = documents.get(key(collection, from))!;
        documents.delete(key(collection, from));
        documents.set(key(collection, to), { ...moved, info: { ...moved.info, path: to } });
        return Promise.resolve();
      },
      remove(collection: string, path: string) {
        log.push(`remove ${path}`);
        return Promise.resolve(documents.delete(key(collection, path)));
      },
    },
    search: {
      vectorsOf(ids: readonly string[]) {
        log.push(`vectors of ${ids.length}`);
        return Promise.resolve(new Map());
      },
    },
    graph: {
      counts: () => Promise.resolve({ entities: 3, relations: 4 }),
      contributions: () => Promise.resolve(new Map()),
    },
    lock(name: string) {
      log.push(`lock ${name}`);
      return Promise.resolve({
        held: true,
        renew: () => Promise.resolve(),
        release: () => Promise.resolve(void log.push('release')),
      });
    },
    cache: {
      get: () => Promise.resolve(new Map()),
      put: () => Promise.resolve(),
    },
    indexes: { list: () => Promise.resolve([{ name: 'by-meaning', type: 'vector', status: 'building' }]) },
    optimize: () => Promise.resolve(void log.push('optimize')),
  };
  const paths = (collection = 'docs'): string[] => of(collection).map(({ info }) => info.path);
  const info = (path: string, collection = 'docs') => documents.get(key(collection, path))!.info;
  return { store: store as typeof store & Store, collections, log, paths, info };
}

/** `claimed` is the size a scan reports, where it is not that of the text. */
export function memoryFolder(options: { embedder?: Embedder; price?: number } = {}) {
  const files = new Map<string, string>();
  const claimed = new Map<string, number>();
  const skipped: Scan['skipped'] = [];
  const failing = new Map<string, VaiError>();
  const notices = new Map<string, string[]>();
  const asked: { file: string; options: object }[] = [];
  const memory = memoryStore();
  const bytesOf = (file: string, given: object): Promise<Uint8Array> => {
    const path = relative(ROOT, file);
    asked.push({ file: path, options: given });
    return failing.has(path)
      ? Promise.reject(failing.get(path)!)
      : Promise.resolve(Buffer.from(files.get(path)!));
  };
  const deps = {
    now: () => new Date(NOW),
    settings: { defaultDb: 'vai' },
    stores: { open: () => Promise.resolve(memory.store) },
    models: {
      traits: () => ({}),
      space: (model: string) => model,
      info: () => ({ pricePerMToken: options.price }),
      embedder: () => Promise.resolve(options.embedder),
    },
    files: {
      scan: () =>
        Promise.resolve({
          files: [...files].map(([path, text]) => ({ path, bytes: claimed.get(path) ?? text.length })),
          skipped,
        }),
      bytes: bytesOf,
    },
    worker: {
      analyse: (text: Analysable) => Promise.resolve().then(() => analyse(text)),
      read({ name, bytes, profile }: FileToRead) {
        const text = Buffer.from(bytes).toString();
        const read = { text, syntax: 'markdown' as const, notices: notices.get(name) };
        // A text of nothing but x stands for a long one, which would take its time.
        const analysis = analyse({ read: /^x+$/.test(text) ? { ...read, text: '' } : read, profile });
        return Promise.resolve({ read, analysis });
      },
    },
  } as unknown as EngineDeps;
  const index = (
    request: Partial<IndexFilesRequest> = {},
    run: RunOptions = {},
    call: Call = localCall(),
  ): Promise<IndexReport> =>
    indexFiles(
      deps,
      call,
      {
        paths: [ROOT],
        collection: 'docs',
        ...(options.embedder ? {} : { model: 'none' }),
        ...request,
      },
      run,
    );
  return { ...memory, deps, files, claimed, skipped, failing, notices, asked, index };
}

export type Folder = ReturnType<typeof memoryFolder>;

export function folderOf(
  files: Record<string, string>,
  options: Parameters<typeof memoryFolder>[0] = {},
): Folder {
  const folder = memoryFolder(options);
  for (const [path, text] of Object.entries(files)) folder.files.set(path, text);
  return folder;
}

export const NOTHING = {
  ...{ added: 0, changed: 0, renamed: 0, deleted: 0 },
  ...{ unchanged: 0, failed: 0, partial: 0 },
};

export function counts({ run }: IndexReport): typeof NOTHING {
  const { added, changed, renamed, deleted, unchanged, failed, partial } = run;
  return { added, changed, renamed, deleted, unchanged, failed, partial };
}
