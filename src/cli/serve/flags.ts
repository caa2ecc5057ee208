// The flags of the MCP server, shared by `vai mcp-server`, `blz mcp` and `flowrag-mcp`. They only say what was typed;
// environment, files and defaults come from the resolver.

import type { Command } from 'commander';
import type { Settings, Values } from '../../config/index.ts';
import { VaiError } from '../../domain/errors.ts';
import { MIN_KEY_LENGTH } from '../../server/keys/entry.ts';
import { integer, list, usage } from '../frame.ts';

export interface ServeFlags {
  transport?: string;
  port?: string;
  host?: string;
  tlsCert?: string;
  tlsKey?: string;
  oauth?: string;
  db?: string;
  collection?: string;
  daemon?: boolean;
  verbose?: boolean;
  channels?: string;
  toolsets?: string[];
  readOnly?: boolean;
  allowDb?: string[];
  allowedHost?: string[];
  allowedOrigin?: string[];
  trustedProxy?: string[];
  rateLimit?: number;
  auditReads?: boolean;
  workers?: number;
  open?: boolean;
}

export const DEFAULT_RATE_LIMIT = 1_200;

/** `offered`: the toolsets this server offers. */
export function addServerFlags(command: Command, offered: readonly string[]): Command {
  return command
    .option('--transport <mode>', 'stdio or http (default: stdio)')
    .option('--port <number>', 'HTTP port (default: 3100)')
    .option('--host <address>', 'address to bind (default: 127.0.0.1)')
    .option('--tls-cert <file>', 'certificate chain (PEM) for HTTPS; reloaded when it changes')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .option('--oauth <file>', 'JSON file that sets up single sign-on: which OAuth tokens to accept')
    .option('--db <name>', 'default database')
    .option('--collection <name>', 'default collection')
    .option('--daemon', 'run in the background (http only)')
    .option('--verbose', 'debug log on stderr')
    .option(
      '--toolsets <names>',
      offered.length > 1
        ? `${offered.join(', ')} (default: all), or core: four tools listed, all callable`
        : `only ${offered[0]} here; \`vai mcp-server\` has all of them`,
      list,
    )
    .option('--read-only', 'offer only tools that read')
    .option('--channels <which>', 'send answers as text, structured or both (default: both)')
    .option(
      '--allow-db <names>',
      'databases clients may use over http; * for all (default: the configured one)',
      list,
    )
    .option('--allowed-host <names>', 'host names the server answers to', list)
    .option('--allowed-origin <origins>', 'web origins that may call the server with a key', list)
    .option('--trusted-proxy <addresses>', 'proxies whose X-Forwarded-For is trusted', list)
    .option(
      '--rate-limit <number>',
      'calls per minute and key; 0: no limit (default: 1200)',
      integer('--rate-limit', 0, 10_000_000),
    )
    .option('--audit-reads', 'also record reads in the audit log')
    .option('--workers <number>', 'worker processes (default: 1)', integer('--workers', 1, 64));
}

/** Flags that are settings, under the names of the resolver. */
export function settingsFlags(flags: ServeFlags): Partial<Record<keyof Values, unknown>> {
  return {
    transport: flags.transport,
    port: flags.port,
    host: flags.host,
    tlsCert: flags.tlsCert,
    tlsKey: flags.tlsKey,
    oauth: flags.oauth,
    defaultDb: flags.db,
    defaultCollection: flags.collection,
    toolsets: flags.toolsets,
    verbose: flags.verbose,
    channels: flags.channels,
  };
}

/** Combinations that make no sense, before anything is started. */
export function checkFlags(flags: ServeFlags, settings: Settings): void {
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined))
    throw usage('--tls-cert and --tls-key belong together.', 'Give both, or neither for plain HTTP.');
  if (flags.open && (settings.transport !== 'http' || flags.daemon))
    throw usage(
      '--open needs a server over HTTP in the foreground.',
      'For one that runs already, use `vai mcp-server sign-in-link`.',
    );
  if (settings.transport === 'http') return requireStrongKeys(settings.serverKeys);
  if (flags.daemon)
    throw usage('--daemon needs --transport http.', 'Over stdio, the client starts and stops the server.');
  if ((flags.workers ?? 1) > 1) throw usage('--workers needs --transport http.');
}

function requireStrongKeys(keys: readonly string[]): void {
  if (keys.every((key) => key.startsWith('sha256:') || key.length >= MIN_KEY_LENGTH)) return;
  throw new VaiError(
    'CONFIG_INVALID',
    `A key in VAI_MCP_SERVER_KEY has fewer than ${MIN_KEY_LENGTH} characters.`,
    { hint: 'Create one with `openssl rand -hex 24` or `vai mcp-server generate-key`.' },
  );
}

/** `presets` are chosen by name only, never by default. */
export function chosenToolsets(
  wanted: readonly string[] | undefined,
  offered: readonly string[],
  presets: readonly string[] = [],
): string[] {
  if (!wanted || wanted.length === 0) return [...offered];
  const known = [...presets, ...offered];
  for (const name of wanted) {
    if (!known.includes(name)) {
      throw new VaiError('INVALID_INPUT', `There is no toolset \`${name.slice(0, 40)}\`.`, {
        hint: `Choose from ${known.join(', ')}.`,
      });
    }
  }
  return known.filter((name) => wanted.includes(name));
}
