// What a team does with its collections. Every action is a method of the engine; nothing is decided here.

import * as z from 'zod';
import { describeCollection } from '../../tools/vai/collections.ts';
import { defineAction } from './action.ts';

const collection = z.string().min(1).max(120);
const path = z.string().max(1100).optional();
/** How long a deletion can be undone. */
const UNDO_MS = 30_000;

export const KNOWLEDGE = {
  collections: defineAction({
    scope: 'read',
    input: z.strictObject({}),
    async run(_, { engine, call }) {
      const [list, details, events] = await Promise.all([
        engine.collections.list(call),
        engine.docs.inspect(call),
        engine.docs.history(call, { limit: 500 }),
      ]);
      const known = new Map(details.map((one) => [one.alias, one]));
      return {
        ...{ database: list.database, store: list.store, warnings: list.warnings },
        ...(engine.limits ? { limits: engine.limits } : {}),
        collections: list.collections.map((report) => {
          const source = known.get(report.name);
          const last = events.find((event) => event.collection === report.name);
          return {
            ...describeCollection(report),
            title: source?.title ?? report.name,
            ...report.stats,
            url: source?.url ?? null,
            ...(source?.location ? { location: source.location } : {}),
            ...(report.onlyNamed ? { onlyNamed: true } : {}),
            refreshable: report.source !== undefined,
            checkedAt: source?.fetchedAt ?? report.updatedAt,
            changedAt: source?.lastUpdated ?? report.updatedAt,
            stale: source?.stale ?? false,
            ...(source?.docsVersion ? { version: source.docsVersion } : {}),
            ...(source?.pages ? { pages: source.pages } : {}),
            problems: [
              ...(report.error ? [report.error] : []),
              ...(last?.result === 'failed' || last?.result === 'held'
                ? [last.message ?? 'The last refresh failed.']
                : []),
              ...(report.run ? ['An ingest of it began and has not ended.'] : []),
              ...(source?.diagnostics ?? []),
            ],
          };
        }),
      };
    },
  }),
  history: defineAction({
    scope: 'read',
    input: z.strictObject({ collection, limit: z.int().min(1).max(500).default(50) }),
    async run(input, { engine, call }) {
      return { events: await engine.docs.history(call, { alias: input.collection, limit: input.limit }) };
    },
  }),
  versions: defineAction({
    scope: 'read',
    input: z.strictObject({ collection, path }),
    async run(input, { engine, call }) {
      return { versions: await engine.docs.versions(call, { alias: input.collection, path: input.path }) };
    },
  }),
  changes: defineAction({
    scope: 'read',
    input: z.strictObject({
      collection,
      path,
      rev: z
        .string()
        .regex(/^[0-9a-f]{4,64}$/)
        .optional(),
    }),
    async run({ collection: alias, ...rest }, { engine, call }) {
      return engine.docs.diff(call, { alias, ...rest });
    },
  }),
  'graph-map': defineAction({
    scope: 'read',
    input: z.strictObject({ limit: z.int().min(1).max(5_000).default(100) }),
    run: (input, { engine, call }) => engine.graph.map(call, input),
  }),
  rename: defineAction({
    scope: 'admin',
    whole: true,
    changes: true,
    input: z.strictObject({ collection, to: collection }),
    run: (input, { engine, call }) => engine.collections.rename(call, input),
  }),
  refresh: defineAction({
    scope: 'write',
    changes: true,
    job: {},
    input: z.strictObject({ collection, force: z.boolean().optional() }),
    async run({ collection: alias, force }, { engine, call }) {
      const [result] = await engine.docs.update(call, { aliases: [alias], ...(force ? { force } : {}) });
      return result!;
    },
  }),
  graph: defineAction({
    scope: 'write',
    changes: true,
    job: {},
    input: z.strictObject({ collection }),
    async run(input, { engine, call }) {
      const { totals, failuresTotal, warnings } = await engine.graph.build(call, input);
      return { totals, failuresTotal, warnings: warnings.slice(0, 20) };
    },
  }),
  // These two change nothing, but work a while: not for every reader.
  evaluate: defineAction({
    scope: 'write',
    job: {},
    input: z.strictObject({ collection, sample: z.int().min(10).max(500).default(100) }),
    run: (input, { engine, call }) => engine.evaluate.run(call, input),
  }),
  check: defineAction({
    scope: 'write',
    job: {},
    input: z.strictObject({ collection }),
    async run(input, { engine, call }) {
      return { reports: await engine.docs.validate(call, { alias: input.collection }) };
    },
  }),
  add: defineAction({
    scope: 'write',
    changes: true,
    job: {},
    input: z.strictObject({
      collection: z.string().min(1).max(64),
      url: z.string().max(2000).optional(),
      force: z.boolean().optional(),
    }),
    run: ({ collection: alias, ...rest }, { engine, call }) => engine.docs.add(call, { alias, ...rest }),
  }),
  registry: defineAction({
    scope: 'write',
    input: z.strictObject({}),
    async run(_, { engine, call }) {
      const { sources } = await engine.docs.list(call);
      return { sources: sources.filter(({ kind }) => kind === 'registry') };
    },
  }),
  folders: defineAction({
    scope: 'admin',
    whole: true,
    input: z.strictObject({}),
    async run(_, { engine, call }) {
      return { folders: await engine.docs.openFolders(call) };
    },
  }),
  'add-folder': defineAction({
    scope: 'admin',
    whole: true,
    changes: true,
    job: {},
    input: z.strictObject({
      collection: z.string().min(1).max(64),
      folder: z.string().min(1).max(2000),
      force: z.boolean().optional(),
    }),
    run: ({ collection: alias, folder: path, ...rest }, { engine, call }) =>
      engine.docs.add(call, { alias, path, ...rest }),
  }),
  delete: defineAction({
    scope: 'admin',
    changes: true,
    job: { delayMs: UNDO_MS },
    input: z.strictObject({ collection }),
    run: (input, { engine, call }) => engine.collections.remove(call, input),
  }),
};
