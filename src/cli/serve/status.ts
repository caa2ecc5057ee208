// Which servers are running and their state, as they report it.

import { json } from 'node:stream/consumers';
import { https } from '../../domain/node-http.ts';
import { listRunning, type RunFile } from './daemon.ts';

interface Health {
  status: string;
  version: string;
  uptime: number;
  voyageAi: string;
  mongodb: string;
}

export interface RunningServer {
  port: number;
  /** None where only its port is known: a server in a container, or of another home. */
  pid?: number;
  /** None where it does not answer. */
  health?: Health;
}

/** The servers of this home, and whichever answers on the port a server would be started on. */
export async function findServers(home: string, port: number): Promise<RunningServer[]> {
  const known = listRunning(home);
  const [own, other] = await Promise.all([
    Promise.all(known.map(withHealth)),
    known.some((server) => server.port === port) ? undefined : askHealth('127.0.0.1', port),
  ]);
  return other ? [...own, { port, health: other }] : own;
}

async function withHealth({ port, pid, host }: RunFile): Promise<RunningServer> {
  const health = await askHealth(host, port);
  return { port, pid, ...(health ? { health } : {}) };
}

/** An address that means every interface is not one to connect to. */
const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

async function askHealth(host: string, port: number): Promise<Health | undefined> {
  const address = LOOPBACK[host] ?? host;
  try {
    const origin = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
    const answer = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(3_000) });
    return ours(await answer.json());
  } catch {
    return askSecurely(address, port);
  }
}

/** Called on this machine by IP address, so the certificate's name cannot match; nothing secret is sent. */
function askSecurely(host: string, port: number): Promise<Health | undefined> {
  return new Promise((resolve) => {
    const options = { host, port, path: '/health', rejectUnauthorized: false, timeout: 3_000 };
    const asked = https.get(options, (response) => {
      json(response).then(
        (body) => resolve(ours(body)),
        () => resolve(undefined),
      );
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(undefined));
  });
}

/** Anything may listen on a port; only a server of ours says this of itself. */
function ours(body: unknown): Health | undefined {
  const health = body as Partial<Health> | null;
  return health?.version && health.mongodb ? (health as Health) : undefined;
}

export function describeRunning({ port, pid, health }: RunningServer): string {
  const state = health
    ? `${health.status}, version ${health.version}, up ${health.uptime} s, Voyage AI ${health.voyageAi}, MongoDB ${health.mongodb}`
    : 'not answering on this machine';
  return `port ${port}${pid === undefined ? '' : `  pid ${pid}`}  ${state}`;
}
