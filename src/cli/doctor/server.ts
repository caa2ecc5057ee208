// The server: keys it would accept, and servers that run in the background.

import { plural } from '../../tools/shared/text.ts';
import type { Frame } from '../frame.ts';
import { ok, warning, type Finding } from './finding.ts';

export async function checkKeys(frame: Frame): Promise<Finding[]> {
  const settings = await frame.settings().catch(() => undefined);
  if (!settings) return [];
  const { listKeys } = await import('../../server/keys/manage.ts');
  const keys = listKeys(settings.configPath);
  if (keys.length === 0 && settings.serverKeys.length === 0) {
    return [
      warning(
        'keys',
        'The HTTP server has no key and would refuse every call. Over stdio none is needed.',
        'vai mcp-server generate-key, if you want to use HTTP',
      ),
    ];
  }
  const now = Date.now();
  const expired = keys.filter((key) => key.expires !== undefined && key.expires <= now);
  const valid = keys.length - expired.length + settings.serverKeys.length;
  return [
    valid > 0
      ? ok('keys', `${plural(valid, 'valid key')} for the HTTP server.`)
      : warning(
          'keys',
          'Every key has expired: the HTTP server would refuse every call.',
          'vai mcp-server generate-key',
        ),
    ...expired.map((key) =>
      warning('keys', `The key ${key.id} has expired.`, `vai mcp-server revoke-key ${key.id}`),
    ),
  ];
}
