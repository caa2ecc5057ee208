// `/health` for load balancers and people. Anyone who can reach the server may read it, so it names no host and no
// version of anything else, costs nothing, and is refreshed at most twice a minute.

import { setTimeout as wait } from 'node:timers/promises';
import type { SourcesHealth } from '../../engine/docs/freshness.ts';
import type { ProbeState } from '../../ports/models.ts';
import type { HealthProbes } from '../settings.ts';

const KEEP_MS = 30_000;
const PROBE_TIMEOUT_MS = 2_000;

export interface HealthReport {
  status: 'ok' | 'degraded';
  version: string;
  /** Seconds. */
  uptime: number;
  voyageAi: ProbeState;
  mongodb: ProbeState;
  /** What the server behind the store can do, in one sentence. */
  about?: string;
  sources?: SourcesHealth;
}

export interface Health {
  report(): Promise<HealthReport>;
}

export function createHealth(version: string, probes: HealthProbes, now: () => number): Health {
  const startedAt = now();
  const look = async () => {
    const [voyageAi, mongodb, store, about, sources] = await Promise.all([
      within(probes.voyageAi, 'unreachable'),
      within(probes.mongodb, 'unreachable'),
      within<ProbeState>(async () => probes.store?.() ?? 'connected', 'unreachable'),
      within(async () => probes.about?.(), undefined),
      within(async () => probes.sources?.(), undefined),
    ]);
    return { voyageAi, mongodb, store, about, sources };
  };
  let states: ReturnType<typeof look> | undefined;
  let askedAt = -Infinity;

  return {
    async report() {
      if (!states || now() - askedAt >= KEEP_MS) {
        askedAt = now();
        states = look();
      }
      const { voyageAi, mongodb, store, about, sources } = await states;
      const bad = [voyageAi, mongodb, store].some(
        (state) => state === 'unreachable' || state === 'unauthorized',
      );
      return {
        status: bad ? 'degraded' : 'ok',
        version,
        uptime: Math.floor((now() - startedAt) / 1000),
        voyageAi,
        mongodb,
        ...(about ? { about } : {}),
        ...(sources ? { sources } : {}),
      };
    },
  };
}

/** What a look shows, or `otherwise` where it fails or takes too long. */
async function within<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
  const late = wait(PROBE_TIMEOUT_MS, otherwise, { ref: false });
  return Promise.race([look(), late]).catch(() => otherwise);
}
