// The socket: bounded headers, bounded waiting, a clear error when the port cannot be had, and an orderly end.

import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { VaiError } from '../../domain/errors.ts';
import { http, https } from '../../domain/node-http.ts';
import type { Log } from '../log.ts';
import { limitConnections } from '../limits/connections.ts';
import type { HttpHandler } from './handler.ts';
import { readCertificate, watchCertificate, type TlsFiles } from './tls.ts';

const DRAIN_MS = 8_000;
/** For a last answer to arrive. */
const PARTING_MS = 1_000;

export interface Listener {
  port: number;
  /**
   * Stops accepting, waits for running requests, then closes all connections. `cut` is called when the waiting is over.
   */
  close(cut: () => Promise<void>): Promise<void>;
}

export interface Place {
  host: string;
  port: number;
  /** Addresses whose connections are not counted. */
  isExempt: (address: string) => boolean;
  /** Without it plain HTTP is spoken. */
  tls?: TlsFiles | undefined;
  log: Log;
}

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  // Longer than a proxy keeps its own idle connections, so that it never sends into one we just closed.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
};
const HANDSHAKE_MS = 5_000;

export async function listen(
  handler: HttpHandler,
  { host, port, isExempt, tls, log }: Place,
): Promise<Listener> {
  const secure =
    tls && https.createServer({ ...LIMITS, ...readCertificate(tls), handshakeTimeout: HANDSHAKE_MS });
  const server: Server | SecureServer = secure ?? http.createServer(LIMITS);
  const unwatch = secure && watchCertificate(tls, (options) => secure.setSecureContext(options), log);
  limitConnections(server, isExempt);
  const connections = trackConnections(server, secure ? 'secureConnection' : 'connection');
  const tracked: HttpHandler = (request, response) => {
    connections.begin(request.socket, response);
    handler(request, response);
  };
  server.on('request', tracked);
  // Guards must decide before a client is told to send its body.
  server.on('checkContinue', tracked);
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return socket.destroy();
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    // A client that never closes its side would keep the place for ever.
    setTimeout(() => socket.destroy(), PARTING_MS).unref();
  });
  await bind(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    async close(cut) {
      unwatch?.();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.dropIdle();
      const drained = await Promise.race([closed.then(() => true), wait(DRAIN_MS, false, { ref: false })]);
      await cut();
      if (!drained) server.closeAllConnections();
      await closed;
    },
  };
}

interface Connections {
  begin(socket: Socket, response: ServerResponse): void;
  /** Cuts every connection without a request, now and as soon as its requests are answered. */
  dropIdle(): void;
}

/** Node counts a connection that has not sent anything yet as busy, so a client's spare one would hold up the end. */
function trackConnections(
  server: Server | SecureServer,
  opened: 'connection' | 'secureConnection',
): Connections {
  const busy = new Map<Socket, number>();
  let dropping = false;
  server.on(opened, (socket: Socket) => {
    busy.set(socket, 0);
    socket.once('close', () => busy.delete(socket));
  });
  return {
    begin(socket, response) {
      busy.set(socket, (busy.get(socket) ?? 0) + 1);
      response.once('close', () => {
        const left = (busy.get(socket) ?? 1) - 1;
        if (busy.has(socket)) busy.set(socket, left);
        if (dropping && left === 0) socket.end();
      });
    },
    dropIdle() {
      dropping = true;
      for (const [socket, requests] of busy) if (requests === 0) socket.destroy();
    },
  };
}

async function bind(server: Server | SecureServer, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw cannotListen(error, host, port);
  });
  server.on('error', () => {});
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): VaiError {
  const reason: Record<string, string> = {
    EADDRINUSE: `Port ${port} is already in use.`,
    EACCES: `Port ${port} cannot be opened by this user.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine.`,
    ENOTFOUND: `The address ${host} cannot be resolved.`,
  };
  return new VaiError('INTERNAL', reason[error.code ?? ''] ?? 'The server cannot listen.', {
    hint: 'Choose another with --port and --host, or stop what uses it.',
    cause: error,
  });
}
