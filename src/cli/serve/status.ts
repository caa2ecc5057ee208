// How a server in the background is doing, asked at its own door.

import { get } from 'node:https';
import { json } from 'node:stream/consumers';
import type { RunFile } from './daemon.ts';

export interface RunningState extends Omit<RunFile, 'alive'> {
  health?: { status: string; version: string; uptime: number; voyageAi: string; mongodb: string };
}

export function withHealth(servers: RunFile[]): Promise<RunningState[]> {
  return Promise.all(
    servers.map(async ({ port, pid }) => {
      const health = await askHealth(port);
      return { port, pid, ...(health ? { health } : {}) };
    }),
  );
}

async function askHealth(port: number): Promise<RunningState['health'] | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(3_000) });
    return answer.ok ? ((await answer.json()) as RunningState['health']) : undefined;
  } catch {
    return askSecurely(port);
  }
}

/** On this machine, by its number: the certificate is for another name, and nothing is told to whoever answers. */
function askSecurely(port: number): Promise<RunningState['health'] | undefined> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/health', rejectUnauthorized: false, timeout: 3_000 };
    const asked = get(options, (response) => {
      json(response).then(
        (body) => resolve(response.statusCode === 200 ? (body as RunningState['health']) : undefined),
        () => resolve(undefined),
      );
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(undefined));
  });
}

export function describeRunning({ port, pid, health }: RunningState): string {
  const state = health
    ? `${health.status}, version ${health.version}, up ${health.uptime} s, Voyage AI ${health.voyageAi}, MongoDB ${health.mongodb}`
    : 'does not answer on this machine';
  return `port ${port}  pid ${pid}  ${state}`;
}
