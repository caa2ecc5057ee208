// Going out through the proxy that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), as other programs do. The
// proxy only carries bytes: an https page is still between us and its server.

import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { VaiError } from '../../domain/errors.ts';
import { http, https } from '../../domain/node-http.ts';

type Environment = Record<string, string | undefined>;

export function proxyIn(env: Environment): (url: URL) => URL | undefined {
  const variable = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  const proxies = new Map([
    ['https:', proxyOf(variable('HTTPS_PROXY'))],
    ['http:', proxyOf(variable('HTTP_PROXY'))],
  ]);
  const direct = (variable('NO_PROXY') ?? '').split(',').map((host) => host.trim().toLowerCase());
  return (url) => (direct.some((host) => goesDirect(host, url)) ? undefined : proxies.get(url.protocol));
}

function proxyOf(value: string | undefined): URL | undefined {
  if (!value) return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  throw new VaiError('CONFIG_INVALID', 'HTTPS_PROXY is not the address of an http or https proxy.', {
    hint: 'For example HTTPS_PROXY=http://proxy.example.com:3128.',
  });
}

/** `*`, a host, a host with its port, or a domain with everything below it, with or without a leading dot. */
function goesDirect(entry: string, { hostname, host }: URL): boolean {
  const domain = entry.replace(/^\*?\./, '');
  return (
    entry === '*' ||
    (domain !== '' && [hostname, host].some((one) => one === domain || one.endsWith(`.${domain}`)))
  );
}

/** A connection to the host of a URL through the proxy. */
export function openTunnel(
  proxy: URL,
  url: URL,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<Duplex> {
  const target = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return new Promise((resolve, reject) => {
    const asked = (proxy.protocol === 'https:' ? https : http).request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      agent: false,
      signal,
      headers: {
        host: target,
        ...(proxy.username
          ? { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }
          : {}),
      },
    });
    const fail = (why: string): VaiError =>
      new VaiError('FETCH_FAILED', `The proxy did not connect: ${why}.`, {
        hint: 'Check HTTPS_PROXY, and whether the proxy lets this host through.',
      });
    asked.setTimeout(timeoutMs, () => asked.destroy(fail('no answer in time')));
    asked.once('connect', (response, socket) => {
      socket.setTimeout(0);
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(fail(`status ${response.statusCode}`));
    });
    asked.once('response', (response) => asked.destroy(fail(`status ${response.statusCode}`)));
    asked.once('error', (error) => reject(error instanceof VaiError ? error : fail('network error')));
    asked.end();
  });
}

/** What is spoken inside the tunnel: TLS for https. */
export function through(tunnel: Duplex, url: URL): Duplex {
  if (url.protocol !== 'https:') return tunnel;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return connectTls({ socket: tunnel, ...(isIP(host) ? { host } : { servername: host, host }) });
}
