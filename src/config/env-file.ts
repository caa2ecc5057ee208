// Provider keys from `.env` files beside a FlowRAG config. Nothing else of such a file is read, and a real variable
// always wins: a project's file must not be able to redirect the server.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ALLOWED = new Set([
  'GEMINI_API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_PROFILE',
]);
const MAX_BYTES = 100_000;

/** The environment with what the files add; the first folder wins over the second. */
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
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (!match) continue;
    const raw = match[2]!;
    const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(raw);
    found.set(match[1]!, quoted ? quoted[2]! : raw.replace(/\s+#.*$/, ''));
  }
  return found;
}
