// How long clients and caches may keep an answer. A public answer may be handed to another key by a cache, so anything
// that depends on who asks is private.

import type { ServerOptions } from '@modelcontextprotocol/server';

const HOUR = 3_600_000;

/** `uniform`: every caller sees the same tools. */
export function cacheHints(uniform: boolean): NonNullable<ServerOptions['cacheHints']> {
  return {
    'server/discover': { ttlMs: HOUR, cacheScope: 'public' },
    'tools/list': { ttlMs: 300_000, cacheScope: uniform ? 'public' : 'private' },
    'prompts/list': { ttlMs: 300_000, cacheScope: 'public' },
    'resources/templates/list': { ttlMs: 300_000, cacheScope: 'public' },
    'resources/list': { ttlMs: 10_000, cacheScope: 'private' },
    'resources/read': { ttlMs: 60_000, cacheScope: 'private' },
  };
}

export const FIXED_RESOURCE_HINT = { ttlMs: HOUR, cacheScope: 'public' } as const;
