// The server: keys it would accept, and servers that run in the background.

import { plural } from '../../tools/shared/text.ts';
import type { Frame } from '../frame.ts';
import { ok, warning, type Finding } from './finding.ts';

export async function checkKeys(frame: Frame): Promise<Finding[]> {
  const settings = await frame.settings().catch(() => undefined);
  if (!settings) return [];
  const { listKeys } = await import('../serve/keys.ts');
  const keys = listKeys(settings.configPath);
  if (keys.length === 0 && settings.serverKeys.length === 0) {
    return [ok('keys', 'No key for the HTTP server: every call to it would be refused. (stdio needs none.)')];
  }
  const now = Date.now();
  const expired = keys.filter((key) => key.expires !== undefined && key.expires <= now);
  return [
    ok('keys', `${plural(keys.length + settings.serverKeys.length, 'key')} for the HTTP server.`),
    ...expired.map((key) =>
      warning('keys', `The key ${key.id} has expired.`, `vai mcp-server revoke-key ${key.id}`),
    ),
  ];
}
