// Everything a server is started with, already resolved: no flag, environment variable or file is read below this.

import type { OAuthSettings } from '../config/index.ts';
import type { Log } from './log.ts';
import type { SourcesHealth } from '../engine/docs/freshness.ts';
import type { Engine } from '../engine/engine.ts';
import type { ProbeState } from '../ports/models.ts';
import type { Toolset, ToolsetAbout } from '../tools/tool.ts';
import type { Processes } from './jobs.ts';
import type { TlsFiles } from './http/tls.ts';
import type { AskIssuer } from './oauth/issuer.ts';
import type { Channels } from './protocol/channels.ts';
import type { Extension } from './protocol/factory.ts';

/** Real looks at what the server depends on. Never a paid call, never longer than two seconds. */
export interface HealthProbes {
  voyageAi: () => Promise<ProbeState>;
  mongodb: () => Promise<ProbeState>;
  /** What the server behind the store can do, in one sentence; names neither host nor version. */
  about?: () => Promise<string | undefined>;
  /** The store in use, whichever it is; only its verdict is shown. */
  store?: () => Promise<ProbeState>;
  /** How current the sources are, without a name. */
  sources?: () => Promise<SourcesHealth | undefined>;
}

export interface HttpSettings {
  host: string;
  port: number;
  /** Files of the certificate and its key; without them plain HTTP is spoken. */
  tls?: TlsFiles;
  /** Names beside loopback and the bound host that requests may be addressed to. */
  allowedHosts: string[];
  /** Web origins that may call with a key. */
  allowedOrigins: string[];
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  /** Requests a minute and key; 0 turns the limit off. */
  rateLimit: number;
  /** Dollars a day and key for hosted models. */
  spendingLimit: number;
  /** Databases a key may name; `*` opens all. */
  databases: '*' | string[];
  workers: number;
  /** Whose tokens are accepted beside keys, and how to ask him; nobody's without it. */
  oauth?: { settings: OAuthSettings; ask: AskIssuer };
  /** The file that holds `mcp-server-keys`. */
  configFile: string;
  /** Keys from the environment, accepted beside those in the file. */
  environmentKeys: string[];
  /** Whether reads are written to the audit log too. */
  auditReads?: boolean;
  /** The built page for a person; absent: 404. */
  webDir?: string;
  probes: HealthProbes;
}

export interface ServerOptions {
  /** How the toolsets introduce themselves before they are loaded. */
  about: ToolsetAbout[];
  /** Called once: after the greeting over stdio, at start over HTTP. */
  toolsets: () => Promise<Toolset[]>;
  version: string;
  /** Called once, at the first request that needs it unless `warm`. */
  engine: () => Promise<Engine>;
  /** Make the engine before the first call needs it: over stdio after the greeting, over HTTP once the server listens. */
  warm?: boolean;
  readOnly: boolean;
  /** Where everything that outlives an answer is kept: tasks, the audit log, sign-ins, what callers have spent. */
  home: string;
  /** Tells what a killed process left behind from what still runs. */
  processes: () => Promise<Processes>;
  extension?: Extension;
  /** Which copies of an answer a client gets whose key chose none; both unless set. */
  channels?: Channels;
  verbose: boolean;
  /** Where log lines go: stderr, or a file for a daemon. */
  logFile?: string;
  log?: Log;
}
