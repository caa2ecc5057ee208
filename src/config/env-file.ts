// Provider keys from `.env` files beside a FlowRAG config, for those who trust the project. Nothing else of such a file
// is read, and a real variable always wins: a project's file must not be able to redirect the server.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDERS } from '../models/providers.ts';
import type { Settings } from './settings.ts';

const ALLOWED = new Set(PROVIDERS.flatMap(({ envFile }) => envFile ?? []));
const MAX_BYTES = 100_000;

/** The environment plus what the files add; the first folder takes precedence. */
export function readEnvFiles(
  folders: readonly string[],
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const merged = { ...env };
  for (const folder of new Set(folders)) {
    for (const [name, value] of parseEnv(readSmall(join(folder, '.env'))))
      if (ALLOWED.has(name) && (merged[name] === undefined || merged[name] === '')) merged[name] = value;
  }
  return merged;
}

/** Settings of providers, with variables of such an environment for those that are not set. */
export function withVariables(
  providers: Settings['providers'],
  env: Record<string, string | undefined>,
): Settings['providers'] {
  const merged: Settings['providers'] = {};
  for (const { id, settings } of PROVIDERS) {
    const own: Record<string, string> = (merged[id] = { ...providers[id] });
    for (const { name, env: variable } of settings)
      if (variable && env[variable]) own[name] ??= env[variable];
  }
  return merged;
}

/** The provider keys a folder's file would set. */
export function keysInEnvFile(folder: string): string[] {
  return [...parseEnv(readSmall(join(folder, '.env'))).keys()].filter((name) => ALLOWED.has(name));
}

function readSmall(path: string): string {
  try {
    const info = statSync(path);
    return info.isFile() && info.size <= MAX_BYTES ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}

export function parseEnv(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const equals = line.indexOf('=');
    const name = line
      .slice(0, Math.max(equals, 0))
      .trim()
      .replace(/^export\s+/, '');
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) found.set(name, valueOf(line.slice(equals + 1).trim()));
  }
  return found;
}

/** Without its quotes, or without the comment after it. */
function valueOf(raw: string): string {
  const quote = raw[0];
  if (quote === '"' || quote === "'")
    for (const close of [raw.indexOf(quote, 1), raw.lastIndexOf(quote)])
      if (close > 0 && /^\s*(?:#|$)/.test(raw.slice(close + 1))) return raw.slice(1, close);
  return raw.split(/\s#/)[0]!.trimEnd();
}
