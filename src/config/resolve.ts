// One resolver for every toolset: flag > environment > .vai.json > config.json > default. A tool's argument stands above
// all of them and is applied by the engine call itself. Reads two files and writes nothing; no .env is ever loaded.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { VaiError } from '../domain/errors.ts';
import { configInvalid, lineOfKey, readJsonObject, type JsonObject } from './json-file.ts';
import { KEYS, type Key } from './keys.ts';
import { databaseOfUri } from './mongodb-uri.ts';
import { absolutePath, shownPath } from './paths.ts';
import { findProjectFile, shownProject, type ProjectFile } from './project-file.ts';
import { BadValue, readValue, type PathBase } from './read-value.ts';
import type { Origin, Settings, Values } from './settings.ts';
import { trustIn } from './trust.ts';

export type Environment = Record<string, string | undefined>;

export interface ResolveInput {
  /** Values of command-line flags, by the name of the setting. Undefined ones are as if not given. */
  flags?: Partial<Record<keyof Values, unknown>>;
  env: Environment;
  cwd: string;
  /** The user's home folder; only tests set it. */
  home?: string;
  /** Whether a MongoDB URI alone chooses that store: so for `vai`, not for `blz` and `flowrag-mcp`. */
  uriChoosesStore?: boolean;
}

export function resolveSettings(input: ResolveInput): Settings {
  const userHome = input.home ?? homedir();
  const places = configPlaces(input);
  const shownConfig = shownPath(places.configPath, userHome);
  const config = readJsonObject(places.configPath, shownConfig) ?? {};
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const project = findProjectFile({ cwd: input.cwd, userHome, trustOf: trustIn(places.home), warn });
  const { configPath } = places;
  const sources: Sources = { input, userHome, config, configPath, shownConfig, project, warn };
  const values: Record<string, unknown> = {};
  const providers: Settings['providers'] = {};
  const origins: Settings['origins'] = {};
  for (const key of KEYS) {
    const found = resolveKey(key, sources);
    if (!found) continue;
    if (key.provider) (providers[key.provider.id] ??= {})[key.provider.setting] = String(found.value);
    else values[key.name] = found.value;
    origins[key.name] = found.origin;
  }
  const settings = values as unknown as Values;
  if (origins.store === 'default' && settings.mongodbUri && input.uriChoosesStore !== false) {
    settings.store = 'mongodb';
    origins.store = 'implied';
  }
  const named = databaseOfUri(settings.mongodbUri);
  if (settings.store === 'mongodb' && origins.defaultDb === 'default' && named !== undefined) {
    settings.defaultDb = named;
    origins.defaultDb = 'implied';
  }
  return {
    ...settings,
    providers,
    ...places,
    ...(project ? { project: project.contract } : {}),
    origins,
    warnings,
  };
}

/** Where our folder and the global config file are: enough for commands that must work with a broken file. */
export function configPlaces(input: Pick<ResolveInput, 'env' | 'cwd' | 'home'>): {
  home: string;
  configPath: string;
} {
  const userHome = input.home ?? homedir();
  const home = absolutePath(input.env.VAI_HOME || '~/.vai', input.cwd, userHome);
  const configPath = input.env.VAI_CONFIG_PATH
    ? absolutePath(input.env.VAI_CONFIG_PATH, input.cwd, userHome)
    : join(home, 'config.json');
  return { home, configPath };
}

interface Sources {
  input: ResolveInput;
  userHome: string;
  config: JsonObject;
  configPath: string;
  shownConfig: string;
  project: ProjectFile | undefined;
  warn: (message: string) => void;
}

function resolveKey(key: Key, from: Sources): { value: unknown; origin: Origin } | undefined {
  const { input } = from;
  const atCwd: PathBase = { base: input.cwd, userHome: from.userHome };
  const flag = input.flags?.[key.name as keyof Values];
  if (flag !== undefined) {
    return { origin: 'flag', value: attempt(key, flag, atCwd, (problem) => badInput(key, problem)) };
  }
  const variable = key.env && (input.env[key.env]?.trim() || secretFile(key, input));
  if (variable) {
    return {
      origin: 'environment',
      value: attempt(key, variable, atCwd, (problem) => badVariable(key, problem)),
    };
  }
  const ofProject = resolveProject(key, from, atCwd);
  if (ofProject) return ofProject;
  const ofConfig = key.stored && from.config[key.stored];
  if (ofConfig !== undefined && ofConfig !== null && ofConfig !== '') {
    const base = { base: dirname(from.configPath), userHome: from.userHome };
    return {
      origin: 'config',
      value: attempt(key, ofConfig, base, (problem) =>
        badField(from.configPath, from.shownConfig, key.stored!, problem),
      ),
    };
  }
  return key.default === undefined ? undefined : { origin: 'default', value: structuredClone(key.default) };
}

const MAX_SECRET_BYTES = 64 * 1024;

/** `VOYAGE_API_KEY_FILE`: a secret from a file, as containers and systemd provide them. */
function secretFile({ env, secret }: Key, input: ResolveInput): string | undefined {
  const file = secret ? input.env[`${env}_FILE`]?.trim() : undefined;
  if (!file) return undefined;
  const fail = (problem: string): VaiError =>
    new VaiError('CONFIG_INVALID', `The file named by ${env}_FILE ${problem}.`);
  let text: string;
  try {
    text = readFileSync(absolutePath(file, input.cwd, input.home ?? homedir()), 'utf8');
  } catch {
    throw fail('cannot be read');
  }
  if (text.length > MAX_SECRET_BYTES || text.trim() === '') throw fail('is empty or too large');
  return text.trim();
}

/** A bad value beside the working directory is an error; one further up is not this folder's business. */
function resolveProject(
  key: Key,
  { project, userHome, warn }: Sources,
  paths: PathBase,
): { value: unknown; origin: Origin } | undefined {
  const raw = key.project && project?.values[key.project];
  if (!project || raw === undefined || raw === null) return undefined;
  const fail = (problem: string): VaiError =>
    badField(project.path, shownProject(project.path, userHome), key.project!, problem);
  try {
    return { origin: 'project', value: attempt(key, raw, paths, fail) };
  } catch (thrown) {
    if (!project.above || !(thrown instanceof VaiError)) throw thrown;
    warn(`${thrown.message} It was ignored.`);
    return undefined;
  }
}

function attempt(key: Key, raw: unknown, paths: PathBase, fail: (problem: string) => VaiError): unknown {
  try {
    return readValue(key, raw, paths);
  } catch (error) {
    if (error instanceof BadValue) throw fail(error.message);
    throw error;
  }
}

const badInput = (key: Key, problem: string): VaiError =>
  new VaiError('INVALID_INPUT', `The value of \`${key.name}\` ${problem}.`);

const badVariable = (key: Key, problem: string): VaiError =>
  new VaiError('CONFIG_INVALID', `The environment variable ${key.env} ${problem}.`);

function badField(path: string, shown: string, field: string, problem: string): VaiError {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // The file went away since it was read: the line is a courtesy.
  }
  return configInvalid(shown, `has a bad value on line ${lineOfKey(text, field)}: \`${field}\` ${problem}`);
}
