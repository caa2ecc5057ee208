// The cookie of a signed-in browser. A browser attaches it to every request, so it counts only for requests that only
// our own page can make: from the same origin, as the browser states, and with a header no form can send.

import type { IncomingHttpHeaders } from 'node:http';
import { SIGNED_IN_DAYS } from '../../sign-in/sign-ins.ts';
import { PASS, refuse, type Verdict } from './verdict.ts';

const NAME = 'vai-sign-in';
const PAGE_HEADER = 'x-vai-page';

/** The secret of the cookie; undefined without one. */
export function cookieSecret(header: string | undefined): string | undefined {
  return cookieNamed(NAME, header);
}

export function cookieNamed(name: string, header: string | undefined): string | undefined {
  for (const part of (header ?? '').slice(0, 8_192).split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

export function signedInCookie(secret: string, secure: boolean, seconds = SIGNED_IN_DAYS * 86_400): string {
  return cookie(secret, seconds, secure);
}

export function signedOutCookie(secure: boolean): string {
  return cookie('', 0, secure);
}

function cookie(value: string, seconds: number, secure: boolean): string {
  return `${NAME}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/** Whether the page of this very host asks. `Origin` is compared with `Host`, which was checked before. */
export function checkPage({ origin, host, [PAGE_HEADER]: page }: IncomingHttpHeaders): Verdict {
  const same =
    origin !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') === host?.toLowerCase();
  if (same && page === '1') return PASS;
  return refuse(403, 'page', 'A signed-in browser may only call from this server’s own page.');
}
