// Against DNS rebinding. Binding to loopback keeps other machines out, but not a web page: its author points a name of
// his own at 127.0.0.1, and the visitor's browser then talks to this server with that name in `Host`. So the name must be
// one of ours. An IP literal that equals the address the connection arrived at passes too: probes use it, and rebinding
// needs a name.

import { validateHostHeader } from '@modelcontextprotocol/server';
import { PASS, refuse, type Verdict } from './verdict.ts';

export interface HostGuard {
  names: string[];
  /** Headers that name one of ours, as they were written: a client sends the same one every time. */
  known: Set<string>;
}

/** Headers differ only in port and letter case; more variants than this are an attack. */
const MAX_KNOWN = 100;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Listening on every interface names no host: trusting these would trust whatever a page claims. */
const EVERYWHERE = new Set(['0.0.0.0', '::', '[::]', '']);

export function hostGuard(bound: string, allowed: readonly string[]): HostGuard {
  const names = [...LOOPBACK, bound, ...allowed]
    .filter((name) => !EVERYWHERE.has(name))
    .map((name) => hostnameOf(name))
    .filter((name): name is string => name !== undefined && !EVERYWHERE.has(name));
  return { names: [...new Set(names)], known: new Set() };
}

export function checkHost(
  guard: HostGuard,
  header: string | undefined,
  localAddress: string | undefined,
): Verdict {
  if (guard.known.has(header ?? '')) return PASS;
  // The SDK's predicate reads the header as part of a URL, where user names and paths would be legal.
  if (header !== undefined && !/^[A-Za-z0-9._~:[\]-]{1,260}$/.test(header)) return refused();
  if (validateHostHeader(header, guard.names).ok) {
    if (header !== undefined && guard.known.size < MAX_KNOWN) guard.known.add(header);
    return PASS;
  }
  const name = header === undefined ? undefined : hostnameOf(header);
  return name !== undefined && isLiteralOf(name, localAddress) ? PASS : refused();
}

/** Lower case, without port; IPv6 in brackets. Undefined when it is not a host at all. */
function hostnameOf(host: string): string | undefined {
  const bare = /^[0-9a-f]*:[0-9a-f:.]*$/i.test(host) && host.split(':').length > 2 ? `[${host}]` : host;
  try {
    return new URL(`http://${bare}`).hostname || undefined;
  } catch {
    return undefined;
  }
}

function isLiteralOf(name: string, localAddress: string | undefined): boolean {
  if (!localAddress) return false;
  const own = localAddress.replace(/^::ffff:(?=\d+\.)/, '').split('%')[0];
  return name === own || name === `[${own}]`;
}

function refused(): Verdict {
  return refuse(403, 'host', 'This Host is not served here.', {
    hint: 'Start the server with --allowed-host <name> to serve it under another name.',
  });
}
