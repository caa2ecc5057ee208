// Texts in memory, with as much of a store as reading citations asks for.

import { createHash } from 'node:crypto';
import type { DocumentInfo } from '../../../src/domain/document.ts';
import { indexLines, sliceLines } from '../../../src/domain/lines.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import type { CollectionView } from '../../../src/engine/scope.ts';
import { headingTree } from '../../../src/engine/text/headings.ts';
import type { LinePlace, Page, Store } from '../../../src/ports/store.ts';

export const RESULT_BUDGET = 5_000;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** By collection and path. */
export type Texts = Record<string, Record<string, string>>;

/** `archive` holds older texts, whichever document they belong to; `past` those that are known to be of one, by its path. */
export function textStore(texts: Texts, archive: readonly string[] = [], past: Record<string, string> = {}) {
  const asked = { databases: [] as string[], headings: [] as string[], lines: 0, pathsOf: 0 };
  const infoOf = (collection: string, path: string): DocumentInfo | undefined => {
    const text = texts[collection]?.[path];
    if (text === undefined) return undefined;
    const lines = indexLines(text).count;
    const made = { title: path, headings: 0, chunks: 1, metadata: {}, fetchedAt: '2026-03-01' };
    return { collection, path, sha256: sha256(text), bytes: text.length, lines, ...made };
  };
  const visible = Object.entries(texts).map(
    ([name, documents]) =>
      ({ name, stats: { chunks: 1, documents: Object.keys(documents).length } }) as CollectionView,
  );
  const store = {
    database: 'vai',
    collections: { list: () => Promise.resolve(visible) },
    documents: {
      get: (collection: string, path: string) => Promise.resolve(infoOf(collection, path)),
      list(collection: string, { limit, after = '' }: Page) {
        const paths = Object.keys(texts[collection]!).filter((path) => after === '' || path > after);
        const documents = paths.slice(0, limit).map((path) => infoOf(collection, path)!);
        return Promise.resolve({ documents, ...(paths.length > limit ? { next: paths[limit - 1] } : {}) });
      },
      text: (collection: string, path: string) => Promise.resolve(texts[collection]?.[path]),
      lines(places: readonly LinePlace[]) {
        asked.lines += 1;
        return Promise.resolve(
          places.map(({ collection, path, lines }) => sliceLines(texts[collection]![path]!, lines)),
        );
      },
      headings(collection: string, path: string) {
        asked.headings.push(path);
        return Promise.resolve(headingTree(texts[collection]![path]!, 'markdown'));
      },
    },
    versions: {
      text: (_collection: string, _path: string, prefix: string) =>
        Promise.resolve(archive.find((text) => sha256(text).startsWith(prefix))),
      list: (_collection: string, path: string) =>
        Promise.resolve(Object.hasOwn(past, path) ? [{ sha256: sha256(past[path]!) }] : []),
      pathsOf(collection: string, prefix: string) {
        asked.pathsOf += 1;
        return Promise.resolve(
          [...Object.entries(texts[collection]!), ...Object.entries(past)].flatMap(([path, text]) =>
            sha256(text).startsWith(prefix) ? [path] : [],
          ),
        );
      },
    },
  } as unknown as Store;
  const deps = {
    settings: { defaultDb: 'vai', resultBudget: RESULT_BUDGET },
    stores: {
      open(name: string) {
        asked.databases.push(name);
        return Promise.resolve(store);
      },
      has: () => Promise.resolve(true),
    },
  } as unknown as EngineDeps;
  return { store, deps, visible, asked };
}
