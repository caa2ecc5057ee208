// The engine of a FlowRAG configuration: its database registered by name, its keys from `.env`, its graph settings.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config/index.ts';
import { withVariables } from '../../config/env-file.ts';
import { resolveFlowrag, type FlowragConfig, type FlowragFlags } from '../../config/flowrag.ts';
import { trustIn } from '../../config/trust.ts';
import { VaiError } from '../../domain/errors.ts';
import type { EngineDeps } from '../../engine/deps.ts';
import { configChanges, META_FILE, type GraphMeta } from '../../engine/graph/meta.ts';
import type { Frame } from '../frame.ts';

export function flowragConfig(frame: Frame, settings: Settings, flags: FlowragFlags): FlowragConfig {
  const { databases, home } = settings;
  return resolveFlowrag({ flags, env: frame.env, cwd: frame.cwd, databases, trustOf: trustIn(home) });
}

/** For users who did not ask for FlowRAG: a project's broken config file must not disable the other tools. */
export function flowragConfigOrNone(frame: Frame, settings: Settings): FlowragConfig {
  try {
    return flowragConfig(frame, settings, {});
  } catch (thrown) {
    if (!(thrown instanceof VaiError) || thrown.code !== 'CONFIG_INVALID') throw thrown;
    return { env: frame.env, warnings: [`${thrown.message} It was ignored.`] };
  }
}

export async function flowragParts(
  frame: Frame,
  settings: Settings,
  config: FlowragConfig,
): Promise<EngineDeps> {
  const { composeParts } = await import('../../compose.ts');
  const { graph, databaseFile, env } = config;
  const warnings = [...settings.warnings, ...(config.warnings ?? graph?.warnings ?? [])];
  const keyed: Settings = { ...settings, warnings, providers: withVariables(settings.providers, env) };
  if (!graph || databaseFile === undefined)
    return composeParts({ settings: keyed, env, cwd: frame.cwd, ...(graph ? { graph } : {}) });
  if (settings.databases[graph.db!] !== databaseFile)
    await register(settings, graph.db!, databaseFile, frame);
  return composeParts({
    settings: { ...keyed, databases: { ...settings.databases, [graph.db!]: databaseFile } },
    env,
    cwd: frame.cwd,
    graph,
  });
}

/** Lets `vai_* {db}`, the command line and the page open it too. If this fails, the server still starts. */
async function register(settings: Settings, name: string, file: string, frame: Frame): Promise<void> {
  const { registerDatabase } = await import('../../config/index.ts');
  await registerDatabase(settings.configPath, name, file).catch(() =>
    frame.note(`The database ${name} could not be registered; only this server sees it.`),
  );
}

/**
 * Settings in the config that differ from those the index was built with, according to the file beside the database.
 */
export function startWarnings(config: FlowragConfig): string[] {
  const { graph } = config;
  if (!graph?.data) return graph?.warnings ?? [];
  const file = join(graph.data, META_FILE);
  if (!existsSync(file)) return graph.warnings;
  try {
    const meta = JSON.parse(readFileSync(file, 'utf8')) as GraphMeta;
    return [...graph.warnings, ...configChanges(graph, meta, undefined).map((change) => change.message)];
  } catch {
    return [...graph.warnings, `${META_FILE} cannot be read; the record in the database is used.`];
  }
}
