// Starts the MCP server from what was typed and what is configured, and stays until it ends.

import { homedir } from 'node:os';
import type { Settings, Values } from '../../config/index.ts';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import { once } from '../../domain/once.ts';
import type { EngineDeps } from '../../engine/deps.ts';
import type { ProbeState } from '../../ports/models.ts';
import type { HealthProbes, HttpSettings, ServerOptions } from '../../server/index.ts';
import type { Toolset, ToolsetAbout } from '../../tools/tool.ts';
import { list, type Frame } from '../frame.ts';
import { announce, failStart, isDaemonChild, startDaemon, writeRunFile } from './daemon.ts';
import { terminalLog } from './terminal-log.ts';
import { checkFlags, chosenToolsets, DEFAULT_RATE_LIMIT, settingsFlags, type ServeFlags } from './flags.ts';
import { keepHeapSmall } from '../../small-heap.ts';
import { VERSION } from '../../version.ts';

/** What differs between `vai mcp-server`, `blz mcp` and `flowrag-mcp`. */
export interface ServerKind {
  /** Toolsets that may be served here, in their order. */
  offered: readonly string[];
  /** Further names for --toolsets, which stand for a choice of tools. */
  presets?: readonly string[];
  load(names: readonly string[]): Promise<Toolset[]>;
  /** How the toolsets introduce themselves before they are loaded. */
  about(names: readonly string[]): ToolsetAbout[];
  /** More settings than the shared flags give. */
  settings?: Partial<Record<keyof Values, unknown>>;
  /** Another way to make the engine, for a server with a configuration of its own. */
  parts?(settings: Settings): Promise<EngineDeps>;
  /** The database its configuration adds to the one in use; keys may use it unless --allow-db says otherwise. */
  database?(settings: Settings): Promise<string | undefined>;
  /** The folder of the built page. */
  webDir?: string;
}

export async function serve(frame: Frame, kind: ServerKind, flags: ServeFlags): Promise<void> {
  try {
    await start(frame, kind, flags);
  } catch (error) {
    if (isDaemonChild(frame.env)) failStart(error);
    throw error;
  }
}

/** Percent by which the heap may grow before it is collected. */
const GROWTH = 20;

async function start(frame: Frame, kind: ServerKind, flags: ServeFlags): Promise<void> {
  const settings = await frame.settings({ ...settingsFlags(flags), ...kind.settings });
  checkFlags(flags, settings);
  const names = chosenToolsets(settings.toolsets, kind.offered, kind.presets);
  for (const warning of settings.warnings) frame.note(warning);
  // A connection string in the environment may have selected it without the user noticing.
  if (settings.store === 'mongodb') frame.note(`Store: MongoDB, database ${settings.defaultDb}.`);
  if (flags.daemon && !isDaemonChild(frame.env)) return startDaemon(frame, settings);

  keepHeapSmall(GROWTH);
  const { runUntilStopped, startHttpServer, startStdioServer } = await import('../../server/index.ts');
  const parts = once(() => composed(frame, kind, settings));
  const options: ServerOptions = {
    about: kind.about(names),
    toolsets: () => kind.load(names),
    version: VERSION,
    engine: async () => (await import('../../engine/engine.ts')).createEngine(await parts()),
    warm: true,
    readOnly: flags.readOnly ?? false,
    home: settings.home,
    processes: async () => (await import('../../compose.ts')).processes(),
    channels: settings.channels,
    verbose: settings.verbose,
    ...(isDaemonChild(frame.env)
      ? { logFile: frame.env['VAI_MCP_LOG_FILE'] }
      : frame.streams.stderr.isTTY && settings.transport === 'http'
        ? { log: terminalLog(frame, settings.verbose, () => new Date()) }
        : {}),
  };
  const note = { error: (message: string) => frame.note(message) };
  if (settings.transport === 'stdio') {
    if (frame.streams.stdin.isTTY) frame.note(BY_HAND);
    frame.fail(await runUntilStopped(() => startStdioServer(options), note));
    return;
  }
  let cleanUp: (() => Promise<void>) | undefined;
  const startServer = async () => {
    const database = await kind.database?.(settings);
    const oauth = await oauthOf(frame, settings);
    const server = await startHttpServer(options, {
      ...httpSettings(frame, kind, flags, { settings, parts, database }),
      ...(oauth ? { oauth } : {}),
    });
    if (!(await import('node:cluster')).default.isPrimary) return server;
    // Only `ping`, `status` and `stop` read it, so the server also runs with a read-only home.
    cleanUp = await writeRunFile(settings.home, server.port!, settings.host).catch(() => undefined);
    if (isDaemonChild(frame.env)) announce(server.port!);
    else if (frame.streams.stdin.isTTY) frame.note(whereItIs(kind, settings, server.port!));
    if (flags.open && kind.webDir) await printLink(frame, settings, originOf(settings, server.port!));
    return server;
  };
  const status = await runUntilStopped(startServer, note, { outlivesTerminal: true });
  await cleanUp?.();
  frame.fail(status);
}

/** A client starts it over pipes; a person who typed the command should know that no prompt will come. */
const BY_HAND =
  'This server speaks MCP on standard input and output: a client starts it (see `vai setup`). Press Ctrl-D to stop.';

/** A person at a terminal is told where to go. */
function whereItIs(kind: ServerKind, settings: Settings, port: number): string {
  const origin = originOf(settings, port);
  return `MCP: ${origin}/mcp${kind.webDir ? `   page: ${origin}/` : ''}   Press Ctrl-C to stop.`;
}

/** As a browser on this machine reaches it: an address that means all of them is none to open. */
function originOf({ host, tlsCert }: Settings, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${tlsCert ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The server also runs without a link: if there is no key yet, or the home is read-only, it says so instead. */
async function printLink(frame: Frame, { home, configPath }: Settings, url: string): Promise<void> {
  const { signInLink } = await import('./sign-in-link.ts');
  try {
    const link = signInLink({ home, configPath, url });
    frame.note(`Sign in (works once, for ${link.minutes} minutes): ${link.url}`);
  } catch (thrown) {
    frame.note(toVaiError(thrown).messageAndHint);
  }
}

async function composed(frame: Frame, kind: ServerKind, settings: Settings): Promise<EngineDeps> {
  if (kind.parts) return kind.parts(settings);
  const { composeParts } = await import('../../compose.ts');
  return composeParts({ settings, env: frame.env, cwd: frame.cwd });
}

function httpSettings(
  frame: Frame,
  kind: ServerKind,
  flags: ServeFlags,
  {
    settings,
    parts,
    database,
  }: { settings: Settings; parts: () => Promise<EngineDeps>; database: string | undefined },
): HttpSettings {
  const allowed = flags.allowDb ?? [settings.defaultDb, ...(database ? [database] : [])];
  return {
    host: settings.host,
    port: settings.port,
    ...(settings.tlsCert && settings.tlsKey ? { tls: { cert: settings.tlsCert, key: settings.tlsKey } } : {}),
    allowedHosts: flags.allowedHost ?? list(frame.env['VAI_MCP_ALLOWED_HOSTS'] ?? ''),
    allowedOrigins: flags.allowedOrigin ?? list(frame.env['VAI_MCP_ALLOWED_ORIGINS'] ?? ''),
    trustedProxies: flags.trustedProxy ?? list(frame.env['VAI_MCP_TRUSTED_PROXY'] ?? ''),
    rateLimit: flags.rateLimit ?? DEFAULT_RATE_LIMIT,
    spendingLimit: settings.maxSpending,
    databases: allowed.includes('*') ? '*' : allowed,
    workers: flags.workers ?? 1,
    configFile: settings.configPath,
    environmentKeys: settings.serverKeys,
    auditReads: flags.auditReads ?? false,
    ...(kind.webDir ? { webDir: kind.webDir } : {}),
    probes: probesOf(settings, parts),
  };
}

async function oauthOf(frame: Frame, { oauth }: Settings): Promise<HttpSettings['oauth']> {
  if (oauth === undefined) return undefined;
  const { readOAuth, shownPath } = await import('../../config/index.ts');
  const settings = readOAuth(oauth, shownPath(oauth, homedir()), homedir());
  const { issuerFetcher } = await import('../../compose.ts');
  return { settings, ask: await issuerFetcher(settings.issuer, frame.env) };
}

function probesOf(settings: Settings, parts: () => Promise<EngineDeps>): HealthProbes {
  const ping = async (): Promise<ProbeState> => {
    try {
      await (await parts()).stores.ping();
      return 'connected';
    } catch (error) {
      return error instanceof VaiError && error.code === 'MONGO_AUTH' ? 'unauthorized' : 'unreachable';
    }
  };
  return {
    // The body of /health names this one provider.
    voyageAi: async () =>
      (await (await parts()).models.probe()).find(({ id }) => id === 'voyage')?.state ?? 'not configured',
    mongodb: async () => (settings.store === 'mongodb' ? ping() : 'not configured'),
    about: async () => (await parts()).stores.about?.(),
    store: ping,
    async sources() {
      const { sourcesHealth } = await import('../../engine/docs/freshness.ts');
      return sourcesHealth(await parts());
    },
  };
}
