// Which addresses a source may come from. A name given by a client can point anywhere, also into this machine or this
// network (metadata services, routers, other servers), so the address is judged after resolution and again on every
// redirect. Pure predicates; connecting to the judged address is the request's job.

import { isIPv4, isIPv6 } from 'node:net';

type Block = readonly [base: number, bits: number];

const v4 = (text: string): number => {
  const [a, b, c, d] = text.split('.').map(Number) as [number, number, number, number];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
};

const cidr = (text: string): Block => {
  const [base, bits] = text.split('/') as [string, string];
  return [v4(base), Number(bits)];
};

/** Everything IANA lists as not globally reachable, and multicast. */
const CLOSED_V4: readonly Block[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(cidr);

function publicV4(value: number): boolean {
  return !CLOSED_V4.some(([base, bits]) => value >>> (32 - bits) === base >>> (32 - bits));
}

/** Eight 16-bit groups; undefined for what is not an IPv6 address. */
function groupsOf(address: string): number[] | undefined {
  let text = address.split('%')[0]!;
  // The first call compiles a long pattern.
  if (!text.includes(':') || !isIPv6(text)) return undefined;
  if (text.includes('.')) {
    const start = text.lastIndexOf(':') + 1;
    const value = v4(text.slice(start));
    text = `${text.slice(0, start)}${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
  }
  const [head, tail] = text.split('::') as [string, string | undefined];
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = numbers(head);
  if (tail === undefined) return left;
  const right = numbers(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** The IPv4 address that a mapped, translated or 6to4 address stands for. */
function embeddedV4(groups: readonly number[]): number | undefined {
  const at = (index: number): number => ((groups[index]! << 16) | groups[index + 1]!) >>> 0;
  const zeros = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if (zeros(0, 5) && groups[5] === 0xffff) return at(6);
  if (groups[0] === 0x64 && groups[1] === 0xff9b && zeros(2, 6)) return at(6);
  return groups[0] === 0x2002 ? at(1) : undefined;
}

function publicV6([a, b]: readonly number[]): boolean {
  // Only 2000::/3 is handed out to the public; compatible IPv4, loopback, unique-local, link-local, site-local,
  // multicast and discard lie outside it.
  if ((a! & 0xe000) !== 0x2000) return false;
  if (a === 0x2001 && b! < 0x0200) return false; // Teredo, benchmarking, ORCHID and other special uses
  if (a === 0x2001 && b === 0x0db8) return false; // documentation
  if (a === 0x3fff && b! < 0x1000) return false; // documentation
  return true;
}

/** Whether an address is one that anybody on the internet could reach. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return publicV4(v4(address));
  const groups = groupsOf(address);
  if (!groups) return false;
  const embedded = embeddedV4(groups);
  return embedded === undefined ? publicV6(groups) : publicV4(embedded);
}

const LINK_LOCAL = v4('169.254.0.0') >>> 16;
/** Where clouds answer a machine with its own credentials, beside the link-local ones. */
const METADATA = ['100.100.100.200', '168.63.129.16', '192.0.0.192'].map(v4);
const METADATA_V6 = ['fd00:ec2::254', 'fd20:ce::254'].map((address) => String(groupsOf(address)));

/** Whether an address is never fetched from, whatever the user opened: link-local ones, where clouds keep credentials. */
export function isNeverFetched(address: string): boolean {
  const groups = isIPv4(address) ? undefined : groupsOf(address);
  const value = groups ? embeddedV4(groups) : isIPv4(address) ? v4(address) : undefined;
  if (value !== undefined) return value >>> 16 === LINK_LOCAL || METADATA.includes(value);
  return groups === undefined || (groups[0]! & 0xffc0) === 0xfe80 || METADATA_V6.includes(String(groups));
}

/** All hosts, none, or those named: `host`, `host:port`, `*.domain` for everything below a domain. */
export type Hosts = boolean | readonly string[];

export function includesHost(hosts: Hosts, url: URL): boolean {
  if (typeof hosts === 'boolean') return hosts;
  return hosts.some((host) =>
    host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === url.host || host === url.hostname,
  );
}
