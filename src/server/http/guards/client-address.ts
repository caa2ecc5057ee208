// Who is calling, for limits and the log. `X-Forwarded-For` is a claim anyone can make, so it counts only as far as the
// addresses that reported it are proxies named by the operator: the nearest address that is not one of them is the client.

import { BlockList, isIP } from 'node:net';
import { VaiError } from '../../../domain/errors.ts';

export interface ProxyTrust {
  trusts(address: string): boolean;
}

export function proxyTrust(entries: readonly string[]): ProxyTrust {
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return { trusts: (address) => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6') };
}

function addEntry(list: BlockList, entry: string): void {
  if (entry === 'loopback') {
    list.addSubnet('127.0.0.0', 8, 'ipv4');
    list.addAddress('::1', 'ipv6');
    return;
  }
  const [address = '', bits] = entry.split('/');
  const kind = isIP(address);
  const prefix = bits === undefined ? undefined : Number(bits);
  const valid =
    prefix === undefined || (Number.isInteger(prefix) && prefix >= 0 && prefix <= (kind === 4 ? 32 : 128));
  if (kind === 0 || !valid) {
    throw new VaiError(
      'CONFIG_INVALID',
      `\`${entry.slice(0, 80)}\` is not an address or a range of addresses.`,
      {
        hint: 'Write a trusted proxy as 10.0.0.7, 10.0.0.0/8, ::1 or loopback.',
      },
    );
  }
  const family = kind === 4 ? 'ipv4' : 'ipv6';
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, prefix, family);
}

export function clientAddress(
  trust: ProxyTrust,
  socketAddress: string | undefined,
  forwarded: string | undefined,
): string {
  let address = plainAddress(socketAddress ?? 'unknown');
  if (!forwarded) return address;
  const hops = forwarded.slice(-1_000).split(',');
  for (let at = hops.length - 1; at >= 0 && trust.trusts(address); at -= 1) {
    const hop = plainAddress(hops[at]!.trim());
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** Whether the client's side is encrypted: by us, or by a proxy that the operator named and that says so. */
export function isSecure(
  trust: ProxyTrust,
  socket: { encrypted?: boolean; remoteAddress?: string },
  forwardedProto: string | undefined,
): boolean {
  if (socket.encrypted === true) return true;
  if (!forwardedProto || !trust.trusts(plainAddress(socket.remoteAddress ?? ''))) return false;
  // Each proxy adds its own at the end; the nearest is the one that is trusted.
  return forwardedProto.slice(-100).split(',').at(-1)!.trim().toLowerCase() === 'https';
}

export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '').replace(/^\[(.*)\](:\d+)?$/, '$1');
}
