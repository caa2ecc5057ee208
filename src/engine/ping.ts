// The engine group `ping`: whether what vai depends on answers. Costs nothing unless a real call is asked for.

import { toVaiError } from '../domain/errors.ts';
import type { ProbeState, ProviderState } from '../ports/models.ts';
import { requireScope, type Call } from './call.ts';
import type { EngineDeps } from './deps.ts';
import { modelsFor } from './spending.ts';

export interface PingReport {
  version: string;
  provider: {
    /** Id of the provider of the embedding model. */
    name: string;
    embedding: string;
    rerank: string;
    /** Of that provider; `ready` where the model lies on this machine and nothing has to be reached. */
    state: ProbeState | 'ready';
    /** Only after a real call. */
    call?: { ok: boolean; timeMs: number; tokens?: number; error?: string };
  };
  /** Every provider that somebody configured. */
  providers: ProviderState[];
  warnings: string[];
  store: {
    kind: 'sqlite' | 'mongodb';
    database: string;
    state: 'connected' | 'unreachable' | 'unauthorized';
    /** What the server behind it can do, in one sentence. */
    about?: string;
    error?: string;
  };
}

export interface Ping {
  /** `paid` embeds one word with the default model: the only way to know that a key is accepted. */
  run(call: Call, request?: { paid?: boolean }): Promise<PingReport>;
}

export function createPing(deps: EngineDeps): Ping {
  return {
    async run(call, { paid = false } = {}) {
      requireScope(call.principal, 'read');
      const called = paid ? await realCall(deps, call) : undefined;
      const [providers, store] = await Promise.all([deps.models.probe(), pingStore(deps)]);
      const { embedding, rerank } = deps.models.defaults();
      const model = deps.settings.model ?? embedding;
      const { provider: name, trust, revision } = deps.models.traits(model);
      const here = trust > 0 && revision !== undefined;
      const state = providers.find(({ id }) => id === name)?.state ?? (here ? 'ready' : 'not configured');
      return {
        version: deps.version,
        provider: {
          name,
          embedding: model,
          rerank,
          state,
          ...(called ? { call: called } : {}),
        },
        providers,
        store,
        warnings: deps.models.warnings(),
      };
    },
  };
}

async function realCall(deps: EngineDeps, call: Call): Promise<PingReport['provider']['call']> {
  const started = performance.now();
  const timeMs = (): number => Math.round(performance.now() - started);
  try {
    const embedder = await modelsFor(deps, call.principal).embedder(
      deps.settings.model,
      deps.settings.dimensions,
    );
    const { tokens } = await embedder.embed(['ping'], {
      role: 'query',
      signal: call.signal,
    });
    return { ok: true, timeMs: timeMs(), tokens };
  } catch (thrown) {
    return { ok: false, timeMs: timeMs(), error: toVaiError(thrown).message };
  }
}

async function pingStore(deps: EngineDeps): Promise<PingReport['store']> {
  const base = { kind: deps.stores.kind, database: deps.settings.defaultDb };
  try {
    await deps.stores.ping();
    const about = await deps.stores.about?.();
    return { ...base, state: 'connected', ...(about ? { about } : {}) };
  } catch (thrown) {
    const error = toVaiError(thrown);
    return {
      ...base,
      state: error.code === 'MONGO_AUTH' ? 'unauthorized' : 'unreachable',
      error: error.message,
    };
  }
}
