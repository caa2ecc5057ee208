// `/health` for load balancers and people: open to anyone who can reach the server, so it names no host and no version
// of anything else, costs nothing, and looks at most twice a minute whoever asks how often.

import type { HealthProbes, ProbeState } from '../settings.ts';

const KEEP_MS = 30_000;
const PROBE_TIMEOUT_MS = 2_000;

export interface HealthReport {
  status: 'ok' | 'degraded';
  version: string;
  /** Seconds. */
  uptime: number;
  voyageAi: ProbeState;
  mongodb: ProbeState;
}

export interface Health {
  report(): Promise<HealthReport>;
}

interface States {
  voyageAi: ProbeState;
  mongodb: ProbeState;
  store: ProbeState;
}

export function createHealth(version: string, probes: HealthProbes, now: () => number): Health {
  const startedAt = now();
  let states: Promise<States> | undefined;
  let askedAt = -Infinity;

  const look = async (): Promise<States> => {
    const [voyageAi, mongodb, store] = await Promise.all([
      probe(probes.voyageAi),
      probe(probes.mongodb),
      probe(probes.store ?? (() => Promise.resolve('connected' as const))),
    ]);
    return { voyageAi, mongodb, store };
  };

  return {
    async report() {
      if (!states || now() - askedAt >= KEEP_MS) {
        askedAt = now();
        states = look();
      }
      const { voyageAi, mongodb, store } = await states;
      const bad = [voyageAi, mongodb, store].some(
        (state) => state === 'unreachable' || state === 'unauthorized',
      );
      return {
        status: bad ? 'degraded' : 'ok',
        version,
        uptime: Math.floor((now() - startedAt) / 1000),
        voyageAi,
        mongodb,
      };
    },
  };
}

async function probe(look: () => Promise<ProbeState>): Promise<ProbeState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ProbeState>((resolve) => {
    timer = setTimeout(() => resolve('unreachable'), PROBE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([look(), late]);
  } catch {
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}
