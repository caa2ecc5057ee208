// One HTTP request from its first header to its last byte: Host, Origin, route, key, limits, body, JSON, era, in this
// order, cheapest first. This file only calls the guards in order; it decides nothing itself.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS } from '../../domain/errors.ts';
import type { Log } from '../log.ts';
import type { Principal } from '../../engine/call.ts';
import type { Caller } from '../keys/entry.ts';
import type { AdminApi } from '../admin/admin.ts';
import { auditCalls, type AuditCall } from '../audit/audit.ts';
import type { Receiving } from '../limits/receiving.ts';
import type { RefusalLog } from '../limits/refusals.ts';
import { restrict } from '../protocol/access.ts';
import type { Outcome } from '../protocol/surface.ts';
import { safeError, type FailureContext } from '../protocol/failure.ts';
import { authenticate, type Authenticated, type Authentication } from './authenticate.ts';
import type { Eras } from './eras.ts';
import { clientAddress, isSecure, type ProxyTrust } from './guards/client-address.ts';
import { checkHost, type HostGuard } from './guards/host.ts';
import { checkPage } from './guards/cookie.ts';
import { checkOrigin, corsHeaders, type OriginGuard } from './guards/origin.ts';
import { notFound, route, type Routed } from './guards/route.ts';
import { checkSingleHeaders } from './guards/single-headers.ts';
import { refuse, type Refusal } from './guards/verdict.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';
import type { Page } from './page.ts';
import { busy, receive } from './receive.ts';
import { beginAtIssuer, returnFromIssuer } from './issuer-sign-in.ts';
import { serveSignIn } from './sign-in.ts';
import { sendJson, sendRefusal } from './reply.ts';
import { protocolHeaders, sendWeb } from './web.ts';

export interface HttpParts extends Authentication {
  host: HostGuard;
  origin: OriginGuard;
  proxies: ProxyTrust;
  receiving: Receiving;
  /** Whether another refusal goes into the log, and how many did not before it. */
  refusals: RefusalLog;
  rateLimit: number;
  databases: Principal['databases'];
  readOnly: boolean;
  eras: Eras;
  health: Health;
  metrics: Metrics;
  /** Samples of every process that serves. */
  gather: () => Promise<object[][]>;
  page: Page;
  admin: AdminApi;
  failures: FailureContext;
  auditReads: boolean;
  log: Log;
  now: () => number;
  draining: () => boolean;
}

/** What the log line of a request will say; filled in on the way. */
interface Notes {
  method: string;
  path: string;
  route: string;
  address: string;
  key?: string;
  rpc?: string;
  outcomes: Outcome[];
  trace?: string;
  refused?: string;
}

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

export function createHttpHandler(parts: HttpParts): HttpHandler {
  return (request, response) => {
    const started = parts.now();
    const notes: Notes = {
      method: request.method ?? '',
      path: '',
      route: 'none',
      outcomes: [],
      address: clientAddress(
        parts.proxies,
        request.socket.remoteAddress,
        joined(request.headers['x-forwarded-for']),
      ),
    };
    if (parts.draining()) response.setHeader('Connection', 'close');
    response.once('close', () => finish(parts, notes, response, parts.now() - started));
    answer(parts, request, response, notes).catch((error: unknown) => {
      parts.log.error('request failed', {
        message: error instanceof Error ? error.message.slice(0, 500) : 'unknown',
      });
      notes.refused = 'internal';
      sendRefusal(request, response, refuse(500, 'internal', 'Something went wrong inside the server.'));
      if (!response.writableEnded) response.destroy();
    });
  };
}

async function answer(
  parts: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
  notes: Notes,
): Promise<void> {
  const turnAway = (refusal: Refusal): void => {
    notes.refused = refusal.reason;
    parts.metrics.refusal(refusal.reason);
    sendRefusal(request, response, refusal);
  };
  const single = checkSingleHeaders(request.rawHeaders);
  if (!single.ok) return turnAway(single);
  const host = checkHost(parts.host, request.headers.host, request.socket.localAddress);
  if (!host.ok) return turnAway(host);
  const origin = checkOrigin(parts.origin, request.headers.origin);
  if (!origin.ok) return turnAway(origin);
  const routed = route(notes.method, request.url ?? '/');
  if (!routed.ok) return turnAway(routed);
  notes.route = routed.route;
  notes.path = routed.path;
  switch (routed.route) {
    case 'preflight':
      response.writeHead(204, corsHeaders(parts.origin, request.headers.origin)).end();
      return;
    case 'health':
      return sendHealth(parts, response, routed);
    case 'page':
      return parts.page(request, response, routed.path);
    case 'resource-metadata': {
      if (!parts.oauth) return turnAway(notFound());
      return sendJson(response, 200, parts.oauth.metadata, corsHeaders(parts.origin, request.headers.origin));
    }
    case 'sign-in-issuer':
    case 'sign-in-return': {
      const page = parts.oauth?.page;
      if (!parts.oauth || !page) return turnAway(notFound());
      if (routed.route === 'sign-in-issuer') return beginAtIssuer(page, response, parts.log);
      const { oauth, signIns, log } = parts;
      return returnFromIssuer({ oauth, page, signIns, log }, { request, response }, routed.query);
    }
    case 'sign-in': {
      if (request.method === 'GET')
        return sendJson(response, 200, { issuer: parts.oauth?.page ? parts.oauth.issuer : null });
      const page = checkPage(request.headers);
      if (!page.ok) return turnAway(page);
      const proto = joined(request.headers['x-forwarded-proto']);
      const secure = isSecure(parts.proxies, request.socket, proto);
      const refusal = await serveSignIn(parts.signIns, { request, response, secure }, () =>
        known(parts, request, notes),
      );
      return refusal && turnAway(refusal);
    }
    case 'metrics':
    case 'admin':
    case 'mcp': {
      const key = await known(parts, request, notes);
      if (!key.ok) return turnAway(key);
      if (routed.route === 'metrics') return sendMetrics(parts, response, key.key, turnAway);
      const one = { request, response, notes, key: key.key, turnAway };
      return serveAdmitted(parts, one, routed.route === 'admin' ? serveAdmin : serveParsed);
    }
  }
}

async function known(parts: HttpParts, request: IncomingMessage, notes: Notes): Promise<Authenticated> {
  const verdict = await authenticate(parts, request, notes.address);
  if (verdict.ok) notes.key = verdict.key.id;
  return verdict;
}

async function sendHealth(parts: HttpParts, response: ServerResponse, { query }: Routed): Promise<void> {
  const report = await parts.health.report();
  const strict = new URLSearchParams(query).get('strict') === '1';
  sendJson(response, strict && report.status !== 'ok' ? 503 : 200, report);
}

async function sendMetrics(
  parts: HttpParts,
  response: ServerResponse,
  key: Caller,
  turnAway: (refusal: Refusal) => void,
): Promise<void> {
  if (!key.scopes.includes('admin')) {
    return turnAway(
      refuse(403, 'scope', 'Metrics need a key with the admin scope.', {
        hint: 'Create one with `vai mcp-server generate-key --scopes admin`.',
      }),
    );
  }
  const { type, body } = await parts.metrics.text(await parts.gather());
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}

interface KeyRequest {
  request: IncomingMessage;
  response: ServerResponse;
  notes: Notes;
  key: Caller;
  turnAway: (refusal: Refusal) => void;
}

/** An address may hold several keys (a team behind one gateway), so its rate is a multiple of a key's. */
const ADDRESS_FACTOR = 4;

/** Reads the body within the limits of its key, then answers it. */
async function serveAdmitted(
  parts: HttpParts,
  one: KeyRequest,
  serve: (parts: HttpParts, one: KeyRequest, body: unknown) => Promise<void>,
): Promise<void> {
  const { notes, key, turnAway } = one;
  const { request, response } = one;
  const received = await receive(parts.receiving, { request, response, key: key.id });
  if (!received.ok) return turnAway(received);
  describe(received.value, notes);
  const calls = Array.isArray(received.value) ? Math.max(1, received.value.length) : 1;
  const admitted = await parts.limiter.admit({
    key: key.id,
    address: notes.address,
    rate: key.rate ?? parts.rateLimit,
    // A key with a rate of its own was given it for whatever address it calls from.
    addressRate: key.rate === undefined ? parts.rateLimit * ADDRESS_FACTOR : 0,
    calls,
  });
  if (!admitted.ok) {
    if (admitted.reason === 'rate' && calls === 1) parts.receiving.hold(key.id, admitted.retryAfter);
    return turnAway(busy(admitted));
  }
  parts.metrics.running(1);
  try {
    await serve(parts, one, received.value);
  } finally {
    parts.metrics.running(-1);
    parts.limiter.release(key.id, calls);
  }
}

async function serveParsed(
  parts: HttpParts,
  { request, response, notes, key }: KeyRequest,
  body: unknown,
): Promise<void> {
  const gone = abortedWith(response);
  const reply = await parts.eras.answer(
    { headers: protocolHeaders(request), body, gone },
    {
      principal: callerOf(parts, key),
      channels: key.channels,
      report: (outcome) => {
        notes.outcomes.push(outcome);
        parts.metrics.call(outcome.tool, outcome.ok);
      },
      audit: auditOf(parts, key, notes),
    },
  );
  const cors = corsHeaders(parts.origin, request.headers.origin);
  if ('message' in reply) sendJson(response, 200, reply.message, cors);
  else await sendWeb(response, reply.response, cors);
}

async function serveAdmin(
  parts: HttpParts,
  { request, response, notes, key, turnAway }: KeyRequest,
  body: unknown,
): Promise<void> {
  try {
    const answer = await parts.admin(body, {
      key,
      principal: callerOf(parts, key),
      signal: abortedWith(response).signal,
      audit: parts.audit,
      auditCall: auditOf(parts, key, notes),
    });
    sendJson(response, 200, answer, corsHeaders(parts.origin, request.headers.origin));
  } catch (thrown) {
    const { code, message, hint } = safeError(thrown, parts.failures, 'admin');
    turnAway(refuse(ERRORS[code].http, 'admin', message, { hint }));
  }
}

/** Ends with the connection of a client that has gone. */
function abortedWith(response: ServerResponse): AbortController {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  if (response.destroyed) gone.abort();
  return gone;
}

function auditOf({ audit, auditReads, now }: HttpParts, key: Caller, { address }: Notes): AuditCall {
  return auditCalls(audit, { key: key.id, address }, { reads: auditReads, now });
}

function callerOf({ databases, readOnly }: HttpParts, key: Caller): Principal {
  const { id, scopes, collections, spending } = key;
  return restrict({ id, scopes, collections, databases, spending }, readOnly);
}

function describe(body: unknown, notes: Notes): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const { method, params } = body as { method?: unknown; params?: { _meta?: { traceparent?: unknown } } };
  if (typeof method === 'string') notes.rpc = /^[a-z/]{1,40}$/i.test(method) ? method : 'other';
  const trace = params?._meta?.traceparent;
  if (typeof trace === 'string' && /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(trace))
    notes.trace = trace;
}

function finish(parts: HttpParts, notes: Notes, response: ServerResponse, ms: number): void {
  const { outcomes, refused } = notes;
  const status = response.headersSent ? response.statusCode : 499;
  parts.metrics.request({ route: notes.route, status, seconds: ms / 1000 });
  const unlogged = refused ? parts.refusals.next() : 0;
  if (unlogged === undefined) return;
  const failed = outcomes.filter(({ ok }) => !ok).length;
  parts.log[notes.route === 'health' ? 'debug' : 'info']('request', {
    route: notes.route,
    method: notes.method,
    ...(notes.rpc ? { rpc: notes.rpc } : {}),
    ...(outcomes.length === 1 ? { tool: outcomes[0]!.tool, ok: failed === 0 } : {}),
    ...(outcomes.length > 1 ? { calls: outcomes.length, failed } : {}),
    status,
    ms: Math.round(ms * 10) / 10,
    ...(notes.key ? { key: notes.key } : {}),
    address: notes.address,
    ...(refused ? { refused } : {}),
    ...(unlogged > 0 ? { unlogged } : {}),
    ...(notes.trace ? { trace: notes.trace } : {}),
  });
}

function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}
