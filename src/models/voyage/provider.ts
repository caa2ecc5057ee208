// The Voyage provider: embedders, rerankers and a probe over one key, one gate and one memory of how the last call went.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider, ProviderDeps } from '../provider.ts';
import type { VoyageDeps } from './client.ts';
import { createVoyageEmbedder } from './embedder.ts';
import { voyageBase } from './endpoint.ts';
import { createGate } from './gate.ts';
import { createVoyageReranker } from './reranker.ts';

const IN_FLIGHT = 2;
const PROBE_TIMEOUT_MS = 3_000;

/** Handed in by tests. */
export interface VoyageHooks {
  random?: () => number;
  wait?: VoyageDeps['wait'];
}

export function createProvider(given: ProviderDeps, hooks: VoyageHooks = {}): Provider {
  const key = given.settings.voyageApiKey ?? '';
  const base = voyageBase(key, given.settings.voyageApiBase);
  let last: 'connected' | 'unauthorized' | 'unreachable' | undefined;
  const deps: VoyageDeps = {
    base,
    key,
    fetch: given.fetch,
    now: given.now,
    random: hooks.random ?? Math.random,
    wait: hooks.wait ?? ((ms, signal) => sleep(ms, undefined, { signal })),
    gate: createGate(IN_FLIGHT),
    onOutcome: (outcome) => (last = outcome),
  };
  return {
    embedder: (request) => createVoyageEmbedder(deps, request),
    reranker: (model, info) => createVoyageReranker(deps, model, info),
    async probe() {
      if (last === 'unauthorized') return 'unauthorized';
      try {
        const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
        const reply = await given.fetch(base, { method: 'GET', redirect: 'manual', signal });
        await reply.body?.cancel();
        return reply.status >= 500 ? 'unreachable' : 'connected';
      } catch {
        return 'unreachable';
      }
    },
  };
}
