// The composition root: the only file that knows every part. Parts are loaded when they are first used, so that a
// process pays for nothing it does not touch.

import { dirname, join } from 'node:path';
import { homedir } from 'node:os';
import { DEFAULT_GRAPH } from './config/graph-defaults.ts';
import { collectionsOf, PROJECT_FILE, type Settings } from './config/index.ts';
import type { EngineDeps } from './engine/deps.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { once } from './domain/once.ts';
import type { GraphSettings } from './domain/graph-settings.ts';
import type { ProjectReader } from './ports/project.ts';
import type { Registry } from './ports/registry.ts';
import type { DocumentationFetcher, Files } from './ports/source.ts';
import type { Stores } from './ports/store.ts';
import { createModels } from './models/index.ts';
import type { Models } from './ports/models.ts';
import { createTextWorker } from './worker/client.ts';
import { openSpending, spendingFile } from './server/limits/spending.ts';
import { plainLog, SILENT, type Log } from './server/log.ts';
import { VERSION } from './version.ts';

export interface ComposeInput {
  settings: Settings;
  env: Record<string, string | undefined>;
  cwd: string;
  now?: () => Date;
  /** The graph's own settings, from a FlowRAG config. */
  graph?: GraphSettings;
}

export async function composeEngine(input: ComposeInput): Promise<Engine> {
  return createEngine(await composeParts(input));
}

export async function composeParts(input: ComposeInput): Promise<EngineDeps> {
  const { settings, env } = input;
  const now = input.now ?? (() => new Date());
  const log = settings.verbose ? plainLog('debug', onStderr, now) : SILENT;
  return {
    version: VERSION,
    stores: await openStores(settings, now, log),
    models: rulesInWorker(
      createModels({
        settings,
        env,
        fetch,
        now,
        notify: (message) => log.info(message),
      }),
    ),
    spending: openSpending(spendingFile(settings.home), now),
    files: lazyFiles(),
    worker,
    fetcher: lazyFetcher(settings, env),
    registry: lazyRegistry(settings),
    project: lazyProject(),
    settings: {
      defaultDb: settings.defaultDb,
      defaultCollection: settings.defaultCollection,
      ...projectScope(settings),
      model: settings.model,
      dimensions: settings.dimensions,
      chunk: settings.chunk,
      resultBudget: settings.resultBudget,
      limits: {
        chunks: settings.maxChunks,
        bytes: settings.maxCollectionBytes,
        collections: settings.maxCollections,
        spending: settings.maxSpending,
      },
      openFolders: settings.openFolders,
      warnings: settings.warnings,
      graph: input.graph ?? DEFAULT_GRAPH,
      folders: { home: homedir(), project: input.cwd, data: settings.home },
    },
    now,
  };
}

const onStderr = (line: string): void => void process.stderr.write(line);

/** A collection that a flag or a variable names goes before what the project says. */
function projectScope({ project, origins }: Settings): Pick<EngineDeps['settings'], 'project' | 'skills'> {
  const named = origins.defaultCollection === 'flag' || origins.defaultCollection === 'environment';
  const collections = project && !named ? collectionsOf(project) : [];
  if (!project) return {};
  const folder = dirname(project.file);
  const { collection, folders, ignore } = project;
  const own = collection === undefined ? {} : { own: { collection, folders, ignore } };
  return {
    ...(collections.length > 0 ? { project: { file: PROJECT_FILE, folder, collections, ...own } } : {}),
    ...(project.skills.length > 0 ? { skills: { folder, names: project.skills } } : {}),
  };
}

/** Rerankers of the catalogue that can be called, the user's own among them. */
export function rerankModels(input: Pick<ComposeInput, 'settings' | 'env'>): string[] {
  const models = createModels({ ...input, fetch, now: () => new Date() }).list();
  return models.flatMap(({ type, status, name }) =>
    type === 'rerank' && status === 'current' ? [name] : [],
  );
}

/** Both kinds of store are wanted at once only by `vai copy`. */
export async function openStores(settings: Settings, now: () => Date, log: Log = SILENT): Promise<Stores> {
  if (settings.store === 'mongodb') {
    const { mongodbStores } = await import('./stores/mongodb/stores.ts');
    return mongodbStores({ settings, now, debug: (message, data) => log.debug(message, data) });
  }
  const { sqliteStores } = await import('./stores/sqlite/stores.ts');
  return sqliteStores({ home: settings.home, external: new Map(Object.entries(settings.databases)), now });
}

/** This process, as whatever it leaves behind names it. */
export async function processes(): Promise<{ own: string; isGone: (owner: string) => boolean }> {
  const { newOwner, isGone } = await import('./stores/owner.ts');
  return { own: newOwner(), isGone };
}

function lazyFiles(): Files {
  const load = once(async () => (await import('./sources/files/files.ts')).createFiles());
  return {
    scan: async (folder, options) => (await load()).scan(folder, options),
    bytes: async (file, options) => (await load()).bytes(file, options),
  };
}

/** One worker for all engines of this process. */
const worker = createTextWorker({
  here: () => import('./worker/tasks.ts'),
  // Beside this file while developing, beside the bundle once built.
  program: new URL(
    import.meta.url.endsWith('.ts') ? './worker/program.ts' : './text-worker.js',
    import.meta.url,
  ),
});

/** What the rules read, they read in the worker; what is hosted goes to its provider. */
function rulesInWorker(models: Models): Models {
  return {
    ...models,
    async extractor(provider, model) {
      const extractor = await models.extractor(provider, model);
      if (extractor.hosted) return extractor;
      return {
        ...extractor,
        ...(extractor.corpus
          ? { corpus: { ...extractor.corpus, survey: (text, options) => worker.survey(text, options) } }
          : {}),
        extract: (input, schema, options) => worker.extract(input, schema, options),
      };
    },
  };
}

function lazyFetcher(settings: Settings, env: ComposeInput['env']): DocumentationFetcher {
  const load = once(async () => {
    const [{ createFetcher }, { proxyIn }] = await Promise.all([
      import('./sources/web/fetcher.ts'),
      import('./sources/web/proxy.ts'),
    ]);
    const { allowPrivate, allowHosts, offline, maxBytes, github } = settings;
    const proxy = proxyIn(env);
    const userAgent = `vai/${VERSION}`;
    return createFetcher({
      ...{ userAgent, allowPrivate, allowHosts, offline, maxBytes, github, proxy },
      readHtml: (html, signal) => worker.page(html, { signal }),
    });
  });
  return {
    fetch: async (url, options) => (await load()).fetch(url, options),
    fetchFolder: async (address, options) => (await load()).fetchFolder(address, options),
  };
}

/** Asks the issuer that an OAuth file names: its host is the user's word and may be private, hosts it names may not. */
export async function issuerFetcher(
  issuer: string,
  env: ComposeInput['env'],
): Promise<(url: string, form?: URLSearchParams) => Promise<unknown>> {
  const [{ createJsonFetcher }, { proxyIn }] = await Promise.all([
    import('./sources/web/json.ts'),
    import('./sources/web/proxy.ts'),
  ]);
  const allowPrivate = [new URL(issuer).host];
  return createJsonFetcher({ userAgent: `vai/${VERSION}`, allowPrivate, proxy: proxyIn(env) });
}

function lazyRegistry(settings: Settings): Registry {
  const load = once(async () => {
    const { createRegistry } = await import('./sources/registry/registry.ts');
    return createRegistry({ userFile: join(settings.home, 'registry.json') });
  });
  return { load: async () => (await load()).load() };
}

function lazyProject(): ProjectReader {
  const load = once(async () => (await import('./sources/project/reader.ts')).createProjectReader());
  return {
    dependencies: async (folder) => (await load()).dependencies(folder),
    packageDocs: async (folder, wanted) => (await load()).packageDocs(folder, wanted),
    skills: async (folder, wanted) => (await load()).skills(folder, wanted),
  };
}
