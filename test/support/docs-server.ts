// A documentation server on the loopback interface that plays every case a real one does: validators, rate limits,
// redirects, slow and truncated bodies, HTML shells, compression bombs, files that change and shrink. It counts what
// was asked, so tests can say how polite the fetcher is.

import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export interface SeenRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  /** Requests in progress when this one arrived, itself included. */
  together: number;
}

export type Play = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export interface DocsServer {
  readonly origin: string;
  readonly host: string;
  readonly requests: SeenRequest[];
  /** What a path answers; a string is a text file with validators. Replaces what was there. */
  set(path: string, play: Play | string): void;
  remove(path: string): void;
  /** Requests to one path so far. */
  count(path: string): number;
  close(): Promise<void>;
}

export async function startDocsServer(address = '127.0.0.1'): Promise<DocsServer> {
  const plays = new Map<string, Play>();
  const requests: SeenRequest[] = [];
  let active = 0;
  const server = http.createServer((request, response) => {
    active += 1;
    response.once('close', () => (active -= 1));
    const path = request.url ?? '/';
    requests.push({ method: request.method ?? '', path, headers: request.headers, together: active });
    const play = plays.get(path);
    if (play) play(request, response);
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  const host = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  return {
    origin: `http://${host}`,
    host,
    requests,
    set: (path, play) => plays.set(path, typeof play === 'string' ? file(play) : play),
    remove: (path) => plays.delete(path),
    count: (path) => requests.filter((request) => request.path === path).length,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface FileOptions {
  type?: string;
  /** Answers conditional requests; `weak` sends only Last-Modified; `none` sends no validator. */
  validators?: 'etag' | 'modified' | 'none';
  encoding?: 'gzip' | 'br';
  modified?: string;
}

/** A text file as a static host serves it. */
export function file(text: string | Buffer, options: FileOptions = {}): Play {
  const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`;
  const modified = options.modified ?? 'Tue, 03 Nov 2026 10:00:00 GMT';
  const validators = options.validators ?? 'etag';
  return (request, response) => {
    const fresh =
      (validators === 'etag' && request.headers['if-none-match'] === etag) ||
      (validators === 'modified' && request.headers['if-modified-since'] === modified);
    const headers: http.OutgoingHttpHeaders = {
      'content-type': options.type ?? 'text/plain; charset=utf-8',
      ...(validators === 'etag' ? { etag } : {}),
      ...(validators === 'modified' ? { 'last-modified': modified } : {}),
    };
    if (fresh) {
      response.writeHead(304, headers).end();
      return;
    }
    let body = Buffer.from(text);
    if (options.encoding === 'gzip') body = gzipSync(body);
    if (options.encoding === 'br') body = brotliCompressSync(body);
    if (options.encoding) headers['content-encoding'] = options.encoding;
    headers['content-length'] = body.length;
    response.writeHead(200, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

/** The single-page application that many hosts send for every path, with status 200. */
export function htmlShell(type = 'text/html; charset=utf-8'): Play {
  return file(
    '<!DOCTYPE html>\n<html><head><title>App</title></head><body><div id="root"></div></body></html>',
    {
      type,
      validators: 'none',
    },
  );
}

export function redirect(to: string, status = 302): Play {
  return (_request, response) => response.writeHead(status, { location: to }).end();
}

export function status(code: number, headers: http.OutgoingHttpHeaders = {}): Play {
  return (_request, response) =>
    response.writeHead(code, { 'content-type': 'text/plain', ...headers }).end('no');
}

/** Fails the first `times` requests, then plays the other part. */
export function failing(times: number, first: Play, then: Play): Play {
  let left = times;
  return (request, response) => (left-- > 0 ? first : then)(request, response);
}

/** Sends a little and then nothing more, until the client goes away. */
export function slowBody(text = '# Slow\n'): Play {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 1_000_000 });
    response.write(text);
  };
}

/** Accepts the request and never answers. */
export function silent(): Play {
  return () => undefined;
}

/** Announces more than it sends and closes. */
export function truncated(text: string, encoding?: 'gzip' | 'chunked'): Play {
  return (_request, response) => {
    const whole = encoding === 'gzip' ? gzipSync(text) : Buffer.from(text);
    const half = whole.subarray(0, Math.ceil(whole.length / 2));
    response.writeHead(200, {
      'content-type': 'text/plain',
      ...(encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
      ...(encoding === 'chunked' ? {} : { 'content-length': whole.length }),
    });
    response.write(half, () => response.destroy());
  };
}

/** Compressed bytes that unpack to far more than they are. */
export function bomb(megabytes: number, encoding: 'gzip' | 'br' = 'gzip'): Play {
  const zeros = Buffer.alloc(megabytes * 1024 * 1024, 'a');
  const body = encoding === 'gzip' ? gzipSync(zeros) : brotliCompressSync(zeros);
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding });
    response.end(body);
  };
}

/** A body without an announced length that never ends. */
export function endless(code = 200): Play {
  return (_request, response) => {
    response.writeHead(code, { 'content-type': 'text/plain' });
    const block = Buffer.alloc(64 * 1024, 'endless text\n');
    const more = (): void => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  };
}
