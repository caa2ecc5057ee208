// Puts the HTTP server together: guards, keys, limits, health, metrics and page around the protocol, in one process or
// in several that share their limits.

import cluster from 'node:cluster';
import type { Log } from '../log.ts';
import { toVaiError, type VaiError } from '../../domain/errors.ts';
import type { Caller } from '../keys/entry.ts';
import { liveKeys, type LiveKeys } from '../keys/live.ts';
import { keyUsage, usageFile } from '../keys/usage.ts';
import type { Lifetime } from '../lifetime.ts';
import type { AdminApi } from '../admin/admin.ts';
import { createMetricHistory } from '../admin/history.ts';
import { createJobs } from '../jobs.ts';
import { auditFile, openAudit } from '../audit/audit.ts';
import { createLimiter, SHARED_LIMITS } from '../limits/limiter.ts';
import { createReceiving } from '../limits/receiving.ts';
import { createRefusalLog } from '../limits/refusals.ts';
import { spendingFile, spentToday } from '../limits/spending.ts';
import { createFactory, type FactoryOptions } from '../protocol/factory.ts';
import { signIns } from '../sign-in/sign-ins.ts';
import type { HttpSettings, ServerOptions } from '../settings.ts';
import type { RunningServer } from '../start.ts';
import type { FromWorker } from '../workers/messages.ts';
import { createDirect } from './direct.ts';
import { createEras } from './eras.ts';
import { hostGuard } from './guards/host.ts';
import { originGuard } from './guards/origin.ts';
import { plainAddress, proxyTrust } from './guards/client-address.ts';
import { createHttpHandler } from './handler.ts';
import { createHealth } from './health.ts';
import { listen, type Listener } from './listen.ts';
import { createMetrics } from './metrics.ts';
import { createPage } from './page.ts';

const AFTER_DRAIN_MS = 1_000;

export interface HttpStart {
  options: ServerOptions;
  settings: HttpSettings;
  log: Log;
}

export function isPrimaryOfWorkers(settings: HttpSettings): boolean {
  return settings.workers > 1 && cluster.isPrimary;
}

export async function startWorkers(settings: HttpSettings, log: Log): Promise<RunningServer> {
  const { startPrimary } = await import('../workers/primary.ts');
  const primary = await startPrimary(settings.workers, log, now);
  log.info('listening', { host: settings.host, port: primary.port, workers: settings.workers });
  if (!settings.oauth) warnWithoutKeys(keysOf(settings, log), log);
  warnWithoutTls(settings, log);
  return {
    port: primary.port,
    done: primary.failed.then((error) => {
      throw error;
    }),
    async close() {
      await primary.close();
      log.info('stopped', { port: primary.port });
    },
  };
}

export async function startHttp(
  parts: FactoryOptions,
  lifetime: Lifetime,
  start: HttpStart,
): Promise<RunningServer> {
  const { options, settings, log } = start;
  const { home } = options;
  const date = (): Date => new Date();
  const jobs = createJobs({ home, now: date, track: lifetime.track, processes: await options.processes() });
  const eras = createEras(createFactory({ ...parts, jobs: async () => jobs }), {
    direct: createDirect(parts),
    dispatcher: parts.dispatcher,
    onerror: (error) => log.debug('protocol', { message: error.message.slice(0, 500) }),
    logs: parts.extension?.capabilities.logging !== undefined,
  });
  const metrics = createMetrics(() => spentToday(spendingFile(home), date()));
  const oauth = settings.oauth && (await loadOAuth(settings.oauth));
  const keys = keysOf(settings, log);
  const host = hostGuard(settings.host, settings.allowedHosts);
  const proxies = proxyTrust(settings.trustedProxies);
  const usage = keyUsage(usageFile(home), log, date);
  const audit = openAudit(auditFile(home), log, date);
  let draining = false;
  let listener: Listener | undefined;
  let closing: Promise<void> | undefined;
  let ended: () => void = () => {};
  let stopWork = (): Promise<void> => Promise.resolve();
  const done = new Promise<void>((resolve) => (ended = resolve));
  const close = (): Promise<void> => {
    draining = true;
    closing ??= (listener?.close(() => eras.close()) ?? Promise.resolve())
      .then(() => stopWork())
      .then(() => Promise.all([lifetime.end(AFTER_DRAIN_MS), usage.close()]))
      .then(() => {})
      .finally(() => {
        audit.note('stop', { pid: process.pid });
        if (!cluster.isWorker) log.info('stopped', { port: listener?.port });
        ended();
        // The channel to the primary would keep a finished worker alive.
        if (cluster.worker?.isConnected()) cluster.worker.disconnect();
      });
    return closing;
  };

  const link = cluster.isWorker
    ? await workerLink(
        () => metrics.snapshot(),
        () => void close(),
      )
    : undefined;
  const gather = link?.gather ?? (async () => [await metrics.snapshot()]);
  const history = createMetricHistory(gather, Date.now);
  stopWork = () => {
    history.close();
    return jobs.close();
  };
  const manages = {
    ...{ configFile: settings.configFile, home, jobs, history },
    isValid: (caller: Caller) => isStillValid(caller, keys),
    limits: { rate: settings.rateLimit, spending: settings.spendingLimit, ...SHARED_LIMITS },
  };
  // Loaded when somebody opens the page; most servers are only called by clients.
  const admin: AdminApi = async (body, caller) => {
    const { createAdminApi } = await import('../admin/admin.ts');
    return createAdminApi(manages, parts.engine)(body, caller);
  };
  const handler = createHttpHandler({
    host,
    origin: originGuard(host.names, settings.allowedOrigins),
    proxies,
    keys,
    used: (id) => usage.note(id),
    signIns: signIns(home, Date.now),
    oauth,
    limiter: link?.limiter ?? createLimiter(now),
    receiving: createReceiving(now),
    refusals: createRefusalLog(now),
    rateLimit: settings.rateLimit,
    databases: settings.databases,
    readOnly: options.readOnly,
    eras,
    health: createHealth(options.version, settings.probes, now),
    metrics,
    gather,
    page: createPage(settings.webDir),
    admin,
    failures: parts.failures,
    audit,
    auditReads: settings.auditReads ?? false,
    log,
    now,
    draining: () => draining,
  });
  try {
    listener = await listen(handler, {
      host: settings.host,
      port: settings.port,
      isExempt: (address) => proxies.trusts(plainAddress(address)),
      tls: settings.tls,
      log,
    });
  } catch (error) {
    if (cluster.isWorker) await leaveToPrimary(toVaiError(error));
    throw error;
  }
  const { port } = listener;
  audit.note('start', { pid: process.pid, version: options.version, host: settings.host, port });
  link?.ready(port);
  if (!cluster.isWorker) {
    log.info('listening', { host: settings.host, port });
    if (!settings.oauth) warnWithoutKeys(keys, log);
    warnWithoutTls(settings, log);
  }
  return { port, done, close };
}

/** Loaded by servers that take tokens only. */
async function loadOAuth(given: NonNullable<HttpSettings['oauth']>) {
  return (await import('../oauth/oauth.ts')).createOAuth({ ...given, now: Date.now });
}

async function workerLink(snapshot: () => Promise<object[]>, stop: () => void) {
  const { linkToPrimary } = await import('../workers/worker.ts');
  const self = cluster.worker!;
  // Without the primary there are no limits and nothing to stop the worker.
  self.on('disconnect', stop);
  return linkToPrimary(
    {
      send: (message) => void (self.isConnected() && self.send(message)),
      onMessage: (on) => self.on('message', on),
    },
    snapshot,
    stop,
  );
}

/** The primary logs it once; workers would repeat it. */
function leaveToPrimary(error: VaiError): Promise<never> {
  const { message, hint } = error;
  return new Promise(() => {
    const sent: FromWorker = { vai: 'cannot start', message, ...(hint ? { hint } : {}) };
    cluster.worker!.send(sent, undefined, () => process.exit(1));
  });
}

/** The holder of a token is vouched for until it ends; a key may be revoked before. */
function isStillValid({ id, expires, byToken }: Caller, keys: LiveKeys): boolean {
  const known = byToken ? { expires } : keys.current().byId(id);
  return known !== undefined && (known.expires ?? Infinity) > Date.now();
}

function keysOf(settings: HttpSettings, log: Log): LiveKeys {
  return liveKeys({ file: settings.configFile, environmentKeys: settings.environmentKeys, log });
}

function warnWithoutKeys(keys: LiveKeys, log: Log): void {
  if (keys.current().size > 0) return;
  log.warn('no keys yet: every call is refused until you create one with `vai mcp-server generate-key`');
}

/** A proxy the operator named speaks TLS in our place. */
function warnWithoutTls({ host, tls, trustedProxies }: HttpSettings, log: Log): void {
  const address = plainAddress(host);
  const local = host === 'localhost' || address === '::1' || address.startsWith('127.');
  if (tls || local || trustedProxies.length > 0) return;
  log.warn(
    'keys and answers cross the network unencrypted: use --tls-cert and --tls-key, or put a TLS proxy in front',
  );
}

function now(): number {
  return performance.now();
}
