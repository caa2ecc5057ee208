// The resources of the vai toolset: collections, models and explanations to browse. What a caller may not see does not
// exist here either; completion offers only what reading would return.

import { UNTRUSTED, type Resource, type ToolContext } from '../tool.ts';
import { describeCollection } from './collections.ts';
import { explanationText } from './explain.ts';
import { describeModels } from './models.ts';

const JSON_TYPE = 'application/json';

const json = (uri: string, value: unknown): { uri: string; mimeType: string; text: string } => ({
  uri,
  mimeType: JSON_TYPE,
  text: JSON.stringify(value, null, 2),
});

const collections: Resource = {
  uri: 'vai://collections',
  name: 'collections',
  title: 'Collections',
  description: 'All collections of the default database',
  mimeType: JSON_TYPE,
  fixed: false,
  async read(_, { engine, call }) {
    const report = await engine.collections.list(call);
    return json('vai://collections', {
      untrusted: UNTRUSTED,
      database: report.database,
      collections: report.collections.map(describeCollection),
    });
  },
};

const collection: Resource = {
  uri: 'vai://collections/{db}/{collection}',
  name: 'collection',
  title: 'One collection',
  description: 'Counts, model, chunking and index of a collection',
  mimeType: JSON_TYPE,
  fixed: false,
  async list({ engine, call }) {
    const report = await engine.collections.list(call);
    return report.collections.map(({ name, description }) => ({
      uri: collectionUri(report.database, name),
      name: `${report.database}/${name}`,
      ...(description ? { description } : {}),
    }));
  },
  async complete(variable, value, context, others) {
    const names = await databases(context);
    if (variable === 'db') return begins(names, value);
    if (others.db && !names.includes(others.db)) return [];
    const report = await context.engine.collections.list(context.call, others.db ? { db: others.db } : {});
    return begins(
      report.collections.map(({ name }) => name),
      value,
    );
  },
  async read({ db, collection: name }, context) {
    // Looking must not create: an unknown database is not opened.
    if (!db || !name || !(await databases(context)).includes(db)) return undefined;
    const { engine, call } = context;
    const report = await engine.collections.list(call, { db });
    const found = report.collections.find((entry) => entry.name === name);
    if (!found) return undefined;
    const { documents } = await engine.collections.documents(call, { db, collection: name, limit: 100 });
    return json(collectionUri(db, name), {
      untrusted: UNTRUSTED,
      database: db,
      ...describeCollection(found),
      chunking: found.chunking,
      stats: found.stats,
      createdAt: found.createdAt,
      documents: documents.map(({ path, title, lines, chunks }) => ({ path, title, lines, chunks })),
    });
  },
};

const models: Resource = {
  uri: 'vai://models',
  name: 'models',
  title: 'Models',
  description: 'The model catalogue with prices, dimensions and benchmarks',
  mimeType: JSON_TYPE,
  fixed: false,
  async read(_, { engine, call }) {
    return json('vai://models', describeModels(await engine.models.list(call)));
  },
};

const explanation: Resource = {
  uri: 'vai://explain/{topic}',
  name: 'explain',
  title: 'Explanations',
  description: 'How retrieval works, one topic each',
  mimeType: 'text/markdown',
  fixed: true,
  async list({ engine, call }) {
    return engine.explain.topics(call).map(({ topic, title, summary }) => ({
      uri: `vai://explain/${topic}`,
      name: title,
      description: summary,
    }));
  },
  async complete(_, value, { engine, call }) {
    return begins(
      engine.explain.topics(call).map(({ topic }) => topic),
      value,
    );
  },
  async read({ topic = '' }, { engine, call }) {
    const known = engine.explain
      .topics(call)
      .some((one) => one.topic === topic || one.aliases.includes(topic));
    if (!known) return undefined;
    return {
      uri: `vai://explain/${topic}`,
      mimeType: 'text/markdown',
      text: explanationText(engine.explain.topic(call, topic)),
    };
  },
};

export const RESOURCES: Resource[] = [collections, collection, models, explanation];

async function databases({ engine, call }: ToolContext): Promise<string[]> {
  const [names, report] = await Promise.all([
    engine.collections.databases(call),
    engine.collections.list(call),
  ]);
  return [...new Set([report.database, ...names])];
}

const collectionUri = (db: string, name: string): string =>
  `vai://collections/${encodeURIComponent(db)}/${encodeURIComponent(name)}`;

const begins = (values: readonly string[], typed: string): string[] =>
  values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase())).sort();
