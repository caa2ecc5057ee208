// A reverse proxy in front of the test server: a certificate for it, and requests that go through it over TLS.

import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import { KEY } from './http.ts';
import { until } from '../../support/wait.ts';
import { as } from './send.ts';

export const SITE = 'vai.example.com';

export interface Asked {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | object;
  from?: string;
}

export interface Answered {
  status: number;
  text: string;
  /** As they arrived. */
  chunks: string[];
  protocol: string | null;
}

/** Says it aloud where a test cannot run: a skipped test is easily overlooked. */
export function missingCommands(names: readonly string[]): string | false {
  const missing = names.filter((name) => spawnSync(name, ['version']).error);
  if (missing.length === 0) return false;
  console.error(`SKIPPED: these tests need ${missing.join(' and ')} (apt-get install ${missing.join(' ')})`);
  return `${missing.join(' and ')} not installed`;
}

export function makeCertificate(folder: string): { key: string; cert: string } {
  const made = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${SITE}`],
    ...['-addext', `subjectAltName=DNS:${SITE}`, '-keyout', made.key, '-out', made.cert],
  ]);
  return made;
}

/** Until `/health` answers through the proxy; what it said, when it ended instead. */
export async function proxyReady(proxy: ChildProcess, port: number): Promise<void> {
  let said = '';
  proxy.stderr!.on('data', (chunk) => (said += String(chunk)));
  await until(async () => {
    if (proxy.exitCode !== null) throw new Error(said);
    return (await askProxy(port, { path: '/health', method: 'GET' }).catch(() => undefined))?.status === 200;
  });
}

export async function endProxy(proxy: ChildProcess | undefined): Promise<void> {
  if (!proxy || proxy.exitCode !== null) return;
  proxy.kill('SIGTERM');
  await once(proxy, 'exit');
}

export function askProxy(port: number, asked: Asked): Promise<Answered> {
  const { method = 'POST', path = '/mcp', headers = as(KEY), body, from } = asked;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { Host: SITE, ...headers },
        servername: SITE,
        rejectUnauthorized: false,
        agent: false,
        ...(from ? { localAddress: from } : {}),
      },
      (response) => {
        const chunks: string[] = [];
        const protocol = (response.socket as unknown as { getProtocol(): string | null }).getProtocol();
        response.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            text: chunks.join(''),
            chunks,
            protocol,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}
