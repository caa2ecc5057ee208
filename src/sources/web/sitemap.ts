// The pages a site names itself: sitemaps, compressed or not, and indexes of sitemaps. Bounded in number, size and depth.

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Answer } from './request.ts';

const MAX_SITEMAPS = 50;
const MAX_DEPTH = 2;
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_ADDRESSES = 50_000;

/** Addresses in the order of the sitemaps; empty where there is none. What cannot be read is passed over. */
export async function sitemapPages(
  first: readonly string[],
  ask: (url: string, maxBytes: number) => Promise<Answer | undefined>,
): Promise<string[]> {
  const pages: string[] = [];
  const seen = new Set<string>();
  let wave = [...first];
  for (let depth = 0; depth <= MAX_DEPTH && wave.length > 0; depth += 1) {
    const next: string[] = [];
    for (const url of wave) {
      if (seen.has(url) || seen.size >= MAX_SITEMAPS || pages.length >= MAX_ADDRESSES) continue;
      seen.add(url);
      const answer = await ask(url, MAX_BYTES);
      const text = answer?.status === 200 ? await textOf(answer.body) : '';
      const found = locations(text, MAX_ADDRESSES - pages.length);
      (/<sitemapindex[\s>]/.test(text.slice(0, 2000)) ? next : pages).push(...found);
    }
    wave = next;
  }
  return pages;
}

const unpack = promisify(gunzip) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

async function textOf(body: Buffer): Promise<string> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body.toString('utf8');
  return unpack(body, { maxOutputLength: MAX_BYTES }).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function locations(xml: string, most: number): string[] {
  const found: string[] = [];
  let at = xml.indexOf('<loc>');
  while (at !== -1 && found.length < most) {
    const end = xml.indexOf('</loc>', at);
    if (end === -1) break;
    const raw = xml.slice(at + 5, Math.min(end, at + 4000)).trim();
    const inner = raw.startsWith('<![CDATA[') && raw.endsWith(']]>') ? raw.slice(9, -3).trim() : raw;
    found.push(inner.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]!));
    at = xml.indexOf('<loc>', end);
  }
  return found;
}
