// Starts a server from settings and toolsets. Everything a transport alone needs is imported when that transport is
// chosen, so that a stdio server starts as fast as the SDK allows.

import { randomUUID } from 'node:crypto';
import { once } from '../domain/once.ts';
import { LOCAL } from '../engine/call.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import { plainLog, type Log } from './log.ts';
import { createFactory, type FactoryOptions } from './protocol/factory.ts';
import { restrict } from './protocol/access.ts';
import { introduce } from './protocol/introduction.ts';
import type { HttpSettings, ServerOptions } from './settings.ts';

export interface RunningServer {
  /** Port of an HTTP server. */
  port?: number;
  /** Resolves when the server has ended by itself: the stdio client has gone. */
  done: Promise<void>;
  /** Stops accepting, lets calls finish, closes the engine. Resolves within ten seconds. */
  close(): Promise<void>;
}

const STDIO_PATIENCE_MS = 5_000;
/** The engine is made once the first message has had its answer, so that the first call finds it ready. */
const WARM_AFTER_MS = 15;

export async function startStdioServer(options: ServerOptions): Promise<RunningServer> {
  const log = options.log ?? plainLog(options.verbose ? 'debug' : 'warn', toStderr, now);
  const { startStdio } = await import('./stdio/serve.ts');
  const lifetime = createLifetime(options.engine);
  const parts = factoryParts(options, log, lifetime);
  const jobs = jobsOf(options, lifetime.track);
  const make = createFactory({
    ...parts,
    local: restrict(LOCAL, options.readOnly),
    jobs: jobs.open,
  });
  const factory: typeof make = (context) => {
    // The greeting first; the tools are loaded while the client reads it.
    setImmediate(() => void parts.dispatcher().catch(() => {}));
    const server = make(context);
    server.oninitialized = () => log.debug('client', { ...server.getClientVersion() });
    return server;
  };
  log.debug('serving on stdio', {
    version: options.version,
    toolsets: options.about.map(({ name }) => name),
  });
  const stdio = startStdio(factory, log);
  if (options.warm) setTimeout(() => void lifetime.engine().catch(() => undefined), WARM_AFTER_MS).unref();
  let ended: Promise<void> | undefined;
  let why = 'the client has disconnected';
  const end = (): Promise<void> =>
    (ended ??= jobs
      .close()
      .then(() => lifetime.end(STDIO_PATIENCE_MS))
      .then(() => log.info('stopped', { why })));
  return {
    done: stdio.done.then(end),
    async close() {
      why = 'asked to stop';
      await stdio.close();
      await end();
    },
  };
}

export async function startHttpServer(
  options: ServerOptions,
  settings: HttpSettings,
): Promise<RunningServer> {
  const write = options.logFile ? await toFile(options.logFile) : toStderr;
  const log = options.log ?? plainLog(options.verbose ? 'debug' : 'info', write, now, { pid: process.pid });
  const { startHttp, isPrimaryOfWorkers, startWorkers } = await import('./http/start.ts');
  if (isPrimaryOfWorkers(settings)) return startWorkers(settings, log);
  const lifetime = createLifetime(options.engine);
  const parts = factoryParts(options, log, lifetime);
  const running = await startHttp(parts, lifetime, { options, settings, log });
  await parts.dispatcher();
  if (options.warm) lifetime.warm();
  return running;
}

function factoryParts(
  options: ServerOptions,
  log: Log,
  lifetime: ReturnType<typeof createLifetime>,
): FactoryOptions {
  const failures = { log, newId: () => randomUUID().slice(0, 13) };
  return {
    introduction: introduce(options.about),
    dispatcher: once(async () => {
      const { compileSurface, createDispatcher } = await import('./protocol/load.ts');
      return createDispatcher(compileSurface(await options.toolsets(), failures));
    }),
    version: options.version,
    channels: options.channels,
    engine: lifetime.engine,
    failures,
    now: () => performance.now(),
    track: lifetime.track,
    extension: options.extension,
  };
}

/** Loaded by the first call that becomes a task; ends what runs here with the server. */
function jobsOf({ home, processes }: ServerOptions, track: Lifetime['track']) {
  const open = once(async () => {
    const { createJobs } = await import('./jobs.ts');
    return createJobs({ home, processes: await processes(), now, track });
  });
  return { open, close: async () => (await open.asked()?.catch(() => undefined))?.close() };
}

function toStderr(line: string): void {
  process.stderr.write(line);
}

/** The log of a server in the background, which nobody else rotates; a full disk does not stop it. */
async function toFile(file: string): Promise<(line: string) => void> {
  const { rotatingFile } = await import('./rotating-file.ts');
  const lines = rotatingFile(file, { maxBytes: 20_000_000, keep: 5 }, now);
  return (line) => {
    try {
      lines.append(line);
    } catch {
      // Keep serving.
    }
  };
}

function now(): Date {
  return new Date();
}
