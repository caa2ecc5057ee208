// What the documentation fetcher may do and how long it may take. Clock, waiting and name resolution come in from
// outside, so tests decide them; the environment is read by `config`, never here.

import { setTimeout as wait } from 'node:timers/promises';
import { lookup } from 'node:dns/promises';
import type { Hosts } from './addresses.ts';
import type { ReadHtml } from './site-page.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export interface WebOptions {
  /** Sent as User-Agent. */
  userAgent: string;
  /** Where private addresses and plain http are fine: everywhere, nowhere, or on these hosts. */
  allowPrivate?: Hosts;
  /** Where texts may come from at all. */
  allowHosts?: Hosts;
  /** The proxy to go through to a host, if any. */
  proxy?: (url: URL) => URL | undefined;
  /** Refuses every request before any connection. */
  offline?: boolean;
  /** Decoded bytes of one text, and of all pages of an index together. */
  maxBytes?: number;
  connectMs?: number;
  /** One request from the first packet to the last, redirects included. */
  totalMs?: number;
  /** All pages of an index together. */
  pagesMs?: number;
  retries?: number;
  maxRedirects?: number;
  maxPages?: number;
  /** Where `github:` addresses lead. */
  github?: string;
  /** Requests to one site at the same time. */
  concurrency?: number;
  now?: () => number;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
  /** Reads a large page. */
  readHtml?: ReadHtml;
}

export type WebSettings = Required<WebOptions>;

const MEGABYTE = 1024 * 1024;

export function webSettings(options: WebOptions): WebSettings {
  return {
    allowPrivate: false,
    allowHosts: true,
    proxy: () => undefined,
    offline: false,
    maxBytes: 100 * MEGABYTE,
    connectMs: 10_000,
    totalMs: 30_000,
    pagesMs: 10 * 60_000,
    retries: 2,
    maxRedirects: 5,
    maxPages: 500,
    github: 'https://github.com',
    concurrency: 4,
    now: Date.now,
    sleep: async (ms, signal) => {
      await wait(ms, undefined, { signal });
    },
    readHtml: async (html) => (await import('./html.ts')).readHtml(html),
    resolve: async (host) => (await lookup(host, { all: true, verbatim: true })) as ResolvedAddress[],
    ...definedOnly(options),
  };
}

function definedOnly(options: WebOptions): WebOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as WebOptions;
}
