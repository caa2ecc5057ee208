// One HTTP request without redirects: checks the URL and the address it resolves to, connects to exactly that address
// (so a second answer of the name server cannot move it), decodes within the size limit and gives up in time.

import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { VaiError } from '../../domain/errors.ts';
import { http, https } from '../../domain/node-http.ts';
import { includesHost, isNeverFetched, isPublicAddress } from './addresses.ts';
import type { ResolvedAddress, WebSettings } from './options.ts';
import { openTunnel, through } from './proxy.ts';

export interface Answer {
  url: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Connections {
  http: Agent;
  https: SecureAgent;
}

export interface Ask {
  method?: 'GET' | 'HEAD' | 'POST';
  body?: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  maxBytes: number;
  connections: Connections;
  /** Takes the body as it comes, instead of `body`; called again when a request is tried again. */
  sink?: (parts: AsyncIterable<Buffer>) => Promise<void>;
}

const SHORT_BODY = 64 * 1024;

/** Refuses what may not be asked for at all; gives the parsed URL back. */
export function checkUrl(input: string, settings: WebSettings): URL {
  let url: URL;
  try {
    url = new URL(input);
  } catch {
    throw new VaiError('URL_REFUSED', `\`${shown(input)}\` is not a URL.`, {
      hint: 'Give a full address such as https://example.com/llms-full.txt.',
    });
  }
  if (url.username || url.password) {
    throw new VaiError('URL_REFUSED', 'A URL with a user name or password in it is refused.', {
      hint: 'Leave the credentials out of the address.',
    });
  }
  if (!includesHost(settings.allowHosts, url)) {
    throw new VaiError('URL_REFUSED', `${shown(url.host)} is not among the hosts that may be fetched from.`, {
      hint: 'Whoever runs vai names them in BLZ_ALLOW_HOSTS.',
    });
  }
  const open = includesHost(settings.allowPrivate, url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && open)) {
    throw new VaiError('URL_REFUSED', `Only https addresses are fetched, not ${url.protocol}//.`, {
      hint:
        url.protocol === 'http:'
          ? 'Use https, or name the host in BLZ_ALLOW_PRIVATE if it is on your own network.'
          : 'Use an https address; local files are added with `blz add <alias> <file>` on the command line.',
    });
  }
  return url;
}

/**
 * The addresses of a URL's host, all of them public unless the user opened it. A name that leads nowhere and one that
 * leads inside are refused alike: nobody learns from here which names a network has. The cause, which no remote caller
 * sees, tells them apart.
 */
async function checkedAddresses(url: URL, settings: WebSettings): Promise<ResolvedAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const literal = isIP(host);
  let cause: unknown;
  const found = literal
    ? [{ address: host, family: literal as 4 | 6 }]
    : await settings.resolve(host).catch((thrown: unknown) => ((cause = thrown), []));
  const open = includesHost(settings.allowPrivate, url);
  // A proxy may know names that this machine does not; it connects, and its own rules hold.
  if (found.length === 0 && settings.proxy(url)) return found;
  if (found.length === 0 && open) {
    throw new VaiError('FETCH_FAILED', `The name ${shown(host)} could not be resolved.`, {
      hint: 'Check the address and the network connection.',
    });
  }
  const refused = found.length === 0 || found.some(({ address }) => !open && !isPublicAddress(address));
  if (refused || found.some(({ address }) => isNeverFetched(address))) {
    throw new VaiError('URL_REFUSED', `${shown(url.host)} leads to no address that may be fetched from.`, {
      hint: 'Check the address and the network connection. A host on your own network has to be named in BLZ_ALLOW_PRIVATE.',
      cause,
    });
  }
  return found;
}

export async function request(input: string, ask: Ask, settings: WebSettings): Promise<Answer> {
  if (settings.offline) {
    throw new VaiError('OFFLINE', 'The network is switched off (BLZ_OFFLINE).', {
      hint: 'Unset BLZ_OFFLINE to add or update sources; search and retrieval work without it.',
    });
  }
  const url = checkUrl(input, settings);
  ask.signal.throwIfAborted();
  const addresses = await checkedAddresses(url, settings);
  const proxy = settings.proxy(url);
  const tunnel =
    proxy && (await openTunnel(proxy, url, { signal: ask.signal, timeoutMs: settings.connectMs }));
  const response = await connect(url, { addresses, tunnel }, ask, settings);
  const body = response.statusCode === 200 ? await takeBody(response, ask) : discard(response);
  return { url: url.href, status: response.statusCode ?? 0, headers: response.headers, body };
}

function connect(
  url: URL,
  { addresses, tunnel }: { addresses: ResolvedAddress[]; tunnel: Duplex | undefined },
  ask: Ask,
  settings: WebSettings,
): Promise<IncomingMessage> {
  const pinned: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, addresses);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  };
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? https : http).request(url, {
      method: ask.method ?? 'GET',
      ...(tunnel
        ? { createConnection: () => through(tunnel, url) }
        : { agent: secure ? ask.connections.https : ask.connections.http, lookup: pinned }),
      signal: ask.signal,
      maxHeaderSize: 32 * 1024,
      headers: {
        'user-agent': settings.userAgent,
        accept: 'text/markdown, text/plain;q=0.9, text/html;q=0.5, */*;q=0.1',
        'accept-encoding': 'gzip, br',
        ...ask.headers,
      },
    });
    const slow = setTimeout(() => {
      outgoing.destroy(
        new VaiError('TIMEOUT', `${shown(url.host)} did not accept a connection in time.`, {
          hint: 'Try again later, or check the address.',
        }),
      );
    }, settings.connectMs);
    outgoing.on('socket', (socket) => {
      const ready = (): void => clearTimeout(slow);
      if (!socket.connecting) ready();
      else socket.once(secure ? 'secureConnect' : 'connect', ready);
    });
    outgoing.once('response', (response) => {
      clearTimeout(slow);
      resolve(response);
    });
    outgoing.once('error', (error) => {
      clearTimeout(slow);
      reject(error);
    });
    outgoing.end(ask.body);
  });
}

/** What comes with a redirect or an error is not wanted; a short one is let through so that the connection can be used again. */
function discard(response: IncomingMessage): Buffer {
  response.on('error', () => undefined);
  if (Number(response.headers['content-length'] ?? Infinity) <= SHORT_BODY) response.resume();
  else response.destroy();
  return Buffer.alloc(0);
}

/** Whole, unless there is a sink. */
async function takeBody(response: IncomingMessage, ask: Ask): Promise<Buffer> {
  const parts: Buffer[] = [];
  const stream = decoded(response, ask);
  if (ask.sink) await ask.sink(stream);
  else for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** The body as it comes in, decoded; destroys the connection as soon as a limit is passed. */
async function* decoded(response: IncomingMessage, ask: Ask): AsyncGenerator<Buffer> {
  const tooLarge = (): VaiError =>
    new VaiError(
      'TOO_LARGE',
      `The text is larger than the limit of ${ask.maxBytes.toLocaleString('en')} bytes.`,
      {
        hint: 'Raise BLZ_MAX_BYTES if you trust this source, or add a smaller part of it.',
      },
    );
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const announced = Number(response.headers['content-length'] ?? 0);
  if (ask.method !== 'HEAD' && announced > ask.maxBytes) {
    response.destroy();
    throw tooLarge();
  }
  const decoder = decoderOf(encoding);
  const stream: Readable = decoder ? response.pipe(decoder) : response;
  if (decoder) {
    response.on('error', (error) => decoder.destroy(error));
    response.on('aborted', () => decoder.destroy(new Error('connection closed early')));
  }
  let size = 0;
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > ask.maxBytes) throw tooLarge();
      yield part;
    }
  } finally {
    if (!response.complete) response.destroy();
  }
}

function decoderOf(encoding: string) {
  switch (encoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw new VaiError('FETCH_FAILED', `The server answered with an encoding that is not understood.`, {
        hint: 'Only gzip, brotli and deflate are decoded.',
      });
  }
}

export function openConnections(perSite: number): Connections & { close(): void } {
  const options = { keepAlive: true, maxSockets: perSite, maxFreeSockets: perSite };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  return {
    ...agents,
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

export function shown(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
