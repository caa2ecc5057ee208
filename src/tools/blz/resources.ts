// blz://sources/{alias} and blz://registry, and the same under the fallback scheme that older clients know.

import type { Resource, ToolContext } from '../tool.ts';

const JSON_TYPE = 'application/json';

async function readSource(prefix: string, variables: Record<string, string>, { engine, call }: ToolContext) {
  const wanted = variables.alias ?? '';
  const all = await engine.docs.inspect(call);
  const folded = all.filter((one) => one.alias.toLowerCase() === wanted.toLowerCase());
  const source = all.find((one) => one.alias === wanted) ?? (folded.length === 1 ? folded[0] : undefined);
  if (!source) return undefined;
  const { alias, url, fetchedAt, metadata, lastUpdated, category, stale } = source;
  const value = {
    alias,
    url,
    fetchedAt,
    totalLines: metadata.totalLines,
    headings: metadata.headings,
    lastUpdated,
    ...(category ? { category } : {}),
    stale,
  };
  return { uri: `${prefix}${encodeURIComponent(alias)}`, mimeType: JSON_TYPE, text: JSON.stringify(value) };
}

async function readRegistry(uri: string, { engine, call }: ToolContext) {
  const entries = await engine.docs.registry(call);
  const value = entries.map(({ id, url, description, category }) => ({
    alias: id,
    url,
    description,
    category,
  }));
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(value) };
}

async function aliases({ engine, call }: ToolContext): Promise<string[]> {
  return (await engine.docs.inspect(call)).map(({ alias }) => alias);
}

async function completeAlias(_variable: string, value: string, context: ToolContext): Promise<string[]> {
  return (await aliases(context)).filter((alias) => alias.toLowerCase().startsWith(value.toLowerCase()));
}

const sourceResource = (prefix: string, listed: boolean): Resource => ({
  uri: `${prefix}{alias}`,
  name: 'source',
  title: 'Documentation source',
  description: 'Address, age and size of an installed source.',
  mimeType: JSON_TYPE,
  fixed: false,
  // Without their titles, which the sources chose: a resource list is shown next to our own text.
  list: async (context) =>
    listed
      ? (await aliases(context)).map((alias) => ({
          uri: `${prefix}${encodeURIComponent(alias)}`,
          name: alias,
        }))
      : [],
  complete: completeAlias,
  read: (variables, context) => readSource(prefix, variables, context),
});

const registryResource = (uri: string, listed: boolean): Resource => ({
  uri,
  name: 'registry',
  title: 'Documentation registry',
  description: 'Sources that can be added by name.',
  mimeType: JSON_TYPE,
  fixed: false,
  ...(listed ? {} : { list: async () => [] }),
  read: (_variables, context) => readRegistry(uri, context),
});

export const blzResources: Resource[] = [
  sourceResource('blz://sources/', true),
  registryResource('blz://registry', true),
  sourceResource('resource://blz/sources/', false),
  registryResource('resource://blz/registry', false),
];
