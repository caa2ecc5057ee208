// Every setting there is, as data: where it may come from, how it is read, what it means. The resolver, `vai config`
// and the tables of the docs all read this one list.

import { PROVIDERS } from '../models/providers.ts';
import type { Setting, SettingKind } from '../domain/setting.ts';
import type { Settings, Values } from './settings.ts';

export interface Key extends Setting {
  /** Whose setting it is, and its name there; none: a field of `Settings`. */
  provider?: { id: string; setting: string };
}

const MODEL_NAME: SettingKind = { type: 'string', max: 120 };

const OWN: readonly Setting<keyof Values>[] = [
  {
    name: 'store',
    kind: { type: 'choice', choices: ['sqlite', 'mongodb'] },
    env: 'VAI_STORE',
    stored: 'store',
    description: 'Where the knowledge base is stored. For `vai`, a MongoDB URI alone selects `mongodb`.',
    default: 'sqlite',
  },
  {
    name: 'defaultDb',
    kind: { type: 'name', of: 'database' },
    env: 'VAI_DEFAULT_DB',
    stored: 'defaultDb',
    cli: 'default-db',
    project: 'db',
    needsTrust: true,
    description: 'Database used when a call names none.',
    default: 'vai',
  },
  {
    name: 'defaultCollection',
    kind: { type: 'name', of: 'collection' },
    env: 'VAI_DEFAULT_COLLECTION',
    stored: 'defaultCollection',
    cli: 'default-collection',
    project: 'collection',
    description:
      'Collection used when a call names none. Unset: search covers all, ingest writes `knowledge`.',
  },
  {
    name: 'model',
    kind: MODEL_NAME,
    stored: 'defaultModel',
    cli: 'default-model',
    project: 'model',
    needsTrust: true,
    description:
      'Embedding model of new collections. Unset: `voyage-4-large` with a key, else the built-in one.',
  },
  {
    name: 'dimensions',
    kind: { type: 'integer', min: 1, max: 8192 },
    stored: 'defaultDimensions',
    cli: 'default-dimensions',
    project: 'dimensions',
    needsTrust: true,
    description: 'Vector length of new collections. Unset: the default of the model.',
  },
  {
    name: 'rerankModel',
    kind: MODEL_NAME,
    stored: 'rerankModel',
    cli: 'rerank-model',
    description: 'Reranker. Unset: `rerank-2.5` with a key, else the built-in one.',
  },
  {
    name: 'inputType',
    kind: { type: 'choice', choices: ['document', 'query'] },
    project: 'inputType',
    description: 'Default role of a text in `vai embed`.',
  },
  {
    name: 'chunk',
    kind: { type: 'chunk' },
    stored: 'chunk',
    project: 'chunk',
    description: 'How ingested text is chunked: `{strategy, size, overlap}`, sizes in characters.',
    default: {},
  },
  {
    name: 'field',
    kind: { type: 'string', max: 120 },
    stored: 'field',
    project: 'field',
    needsTrust: true,
    description: 'Vector field of MongoDB collections.',
    default: 'embedding',
  },
  {
    name: 'index',
    kind: { type: 'string', max: 120 },
    stored: 'index',
    project: 'index',
    needsTrust: true,
    description: 'Name of the vector index in MongoDB.',
    default: 'vector_index',
  },
  {
    name: 'filterFields',
    kind: { type: 'list' },
    stored: 'filterFields',
    project: 'filterFields',
    needsTrust: true,
    description: 'Further metadata paths the MongoDB vector index declares for filters.',
    default: [],
  },
  {
    name: 'autoIndex',
    kind: { type: 'boolean' },
    stored: 'autoIndex',
    cli: 'auto-index',
    description: 'Create the vector index when an ingest meets a MongoDB collection without one.',
    default: true,
  },
  {
    name: 'maxChunks',
    kind: { type: 'integer', min: 1, max: 1_000_000_000 },
    env: 'VAI_MAX_CHUNKS',
    stored: 'maxChunks',
    cli: 'max-chunks',
    description: 'Most chunks in a collection; keys over HTTP can add no more.',
    default: 1_000_000,
  },
  {
    name: 'maxCollectionBytes',
    kind: { type: 'integer', min: 1, max: 1_000_000_000_000 },
    env: 'VAI_MAX_COLLECTION_BYTES',
    stored: 'maxCollectionBytes',
    cli: 'max-collection-bytes',
    description: 'Most bytes of text in a collection; keys over HTTP can add no more.',
    default: 2_000_000_000,
  },
  {
    name: 'maxCollections',
    kind: { type: 'integer', min: 1, max: 1_000_000 },
    env: 'VAI_MAX_COLLECTIONS',
    stored: 'maxCollections',
    cli: 'max-collections',
    description: 'Most collections in a database; keys over HTTP can create no more.',
    default: 1_000,
  },
  {
    name: 'maxSpending',
    kind: { type: 'dollars', max: 1_000_000 },
    env: 'VAI_MAX_SPENDING',
    stored: 'maxSpending',
    cli: 'max-spending',
    description:
      'US dollars a day that a key over HTTP may spend on hosted models, by the prices of the catalogue; 0: nothing.',
    default: 10,
  },
  {
    name: 'openFolders',
    kind: { type: 'paths' },
    env: 'VAI_OPEN_FOLDERS',
    stored: 'openFolders',
    cli: 'open-folders',
    description:
      'Folders of this machine from which a key with the admin scope may add documents on the page; commas between several. Unset: none.',
    default: [],
  },
  {
    name: 'resultBudget',
    kind: { type: 'integer', min: 2_000, max: 400_000 },
    stored: 'resultBudget',
    cli: 'result-budget',
    description: 'Most characters of one answer, per channel.',
    default: 40_000,
  },
  {
    name: 'models',
    kind: { type: 'path' },
    stored: 'models',
    description: 'JSON file of models to add to the catalogue or override in it.',
  },
  {
    name: 'showCost',
    kind: { type: 'boolean' },
    stored: 'showCost',
    cli: 'show-cost',
    description: 'Print what a hosted call cost after CLI commands.',
    default: false,
  },
  {
    name: 'databases',
    kind: { type: 'files' },
    stored: 'databases',
    description: 'Databases kept in files elsewhere, by name (written by FlowRAG).',
    default: {},
  },
  {
    name: 'mongodbUri',
    kind: { type: 'string', max: 4_000 },
    env: 'MONGODB_URI',
    stored: 'mongodbUri',
    cli: 'mongodb-uri',
    secret: true,
    description: 'MongoDB connection string.',
  },
  {
    name: 'allowPrivate',
    kind: { type: 'hosts' },
    env: 'BLZ_ALLOW_PRIVATE',
    description:
      'Hosts whose documentation may come from a private address and over plain http: `wiki.corp,*.docs.corp`, or `1` for all.',
    default: false,
  },
  {
    name: 'allowHosts',
    kind: { type: 'hosts' },
    env: 'BLZ_ALLOW_HOSTS',
    description: 'The only hosts documentation is fetched from, `*.example.com` for all below. Unset: any.',
    default: true,
  },
  {
    name: 'offline',
    kind: { type: 'boolean' },
    env: 'BLZ_OFFLINE',
    description: 'Never fetch documentation from the network.',
    default: false,
  },
  {
    name: 'maxBytes',
    kind: { type: 'integer', min: 1, max: 2_000_000_000 },
    env: 'BLZ_MAX_BYTES',
    description: 'Largest documentation text that is fetched, in bytes after decoding.',
    default: 100_000_000,
  },
  {
    name: 'github',
    kind: { type: 'url' },
    env: 'BLZ_GITHUB',
    description: 'Where `github:owner/name` is fetched from: the address of a GitHub Enterprise server.',
    default: 'https://github.com',
  },
  {
    name: 'toolsets',
    kind: { type: 'list' },
    env: 'VAI_TOOLSETS',
    stored: 'toolsets',
    description:
      'Toolsets the server offers. Unset: `vai`, `blz` and `flowrag`. `core` lists four tools and describes the others in `vai://tools`.',
  },
  {
    name: 'extraTools',
    kind: { type: 'boolean' },
    env: 'VAI_EXTRA_TOOLS',
    stored: 'extraTools',
    cli: 'extra-tools',
    description: 'Also offer `vai_chunk`, `vai_index` and `vai_delete` to agents.',
    default: false,
  },
  {
    name: 'transport',
    kind: { type: 'choice', choices: ['stdio', 'http'] },
    env: 'TRANSPORT',
    description: 'Transport of the MCP server.',
    default: 'stdio',
  },
  {
    name: 'port',
    kind: { type: 'integer', min: 0, max: 65_535 },
    env: 'PORT',
    description: 'HTTP port of the MCP server.',
    default: 3100,
  },
  {
    name: 'host',
    kind: { type: 'string', max: 255 },
    env: 'VAI_MCP_HOST',
    description: 'Address the HTTP server binds.',
    default: '127.0.0.1',
  },
  {
    name: 'tlsCert',
    kind: { type: 'path' },
    env: 'VAI_MCP_TLS_CERT',
    description: 'PEM file with the certificate chain of the HTTP server. Unset: plain HTTP.',
  },
  {
    name: 'tlsKey',
    kind: { type: 'path' },
    env: 'VAI_MCP_TLS_KEY',
    description: 'PEM file of the private key of that certificate.',
  },
  {
    name: 'oauth',
    kind: { type: 'path' },
    env: 'VAI_MCP_OAUTH',
    description: 'JSON file that sets up single sign-on for the HTTP server. Unset: keys only.',
  },
  {
    name: 'serverKeys',
    kind: { type: 'list' },
    env: 'VAI_MCP_SERVER_KEY',
    secret: true,
    description: 'Keys the HTTP server accepts in addition to those in config.json, separated by commas.',
    default: [],
  },
  {
    name: 'channels',
    kind: { type: 'choice', choices: ['both', 'text', 'structured'] },
    env: 'VAI_MCP_CHANNELS',
    stored: 'channels',
    description: 'Which copies of an answer a client gets: as text, as structured content, or both.',
    default: 'both',
  },
  {
    name: 'verbose',
    kind: { type: 'boolean' },
    env: 'VAI_MCP_VERBOSE',
    description: 'Debug log on stderr.',
    default: false,
  },
];

export const KEYS: readonly Key[] = [
  ...OWN,
  ...PROVIDERS.flatMap(({ id, settings }) =>
    settings.map((setting) => ({
      ...setting,
      name: `${id}.${setting.name}`,
      provider: { id, setting: setting.name },
    })),
  ),
];

/** A key by the name a person types: `api-key`, `apiKey`, or the field of `Settings`. */
export function findKey(name: string): Key | undefined {
  return KEYS.find((key) => key.cli === name || key.stored === name || key.name === name);
}

export function valueOf(settings: Settings, { name, provider }: Key): unknown {
  return provider ? settings.providers[provider.id]?.[provider.setting] : settings[name as keyof Values];
}
