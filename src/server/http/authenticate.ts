// Who calls: by a key, by a token of the issuer, or by the cookie of a browser that is signed in with one of them.

import type { IncomingMessage } from 'node:http';
import type { Audit } from '../audit/audit.ts';
import type { Caller } from '../keys/entry.ts';
import type { LiveKeys } from '../keys/live.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { Holder } from '../oauth/verify.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { checkPage, cookieSecret } from './guards/cookie.ts';
import { bearerOf, checkKey, checkSignedIn } from './guards/key.ts';
import { refuse, type Refusal, type Verdict } from './guards/verdict.ts';

export interface Authentication {
  keys: LiveKeys;
  /** Told which key was used. */
  used: (id: string) => void;
  signIns: SignIns;
  limiter: Limiter;
  audit: Audit;
  oauth?: OAuth | undefined;
}

/** Who was let in; with the holder of the token where it was one. */
export type Authenticated = Verdict<{ key: Caller; holder?: Holder }>;

/** Three parts with dots between; anything longer is not a token. */
const JWT = /^[\w-]{1,4000}\.[\w-]{1,12000}\.[\w-]{1,4000}$/;
/** Refusals of a known caller, or of one that could not be checked: not a guess at a key. */
const NO_GUESS = new Set(['signed out', 'issuer', 'no access', 'no scope', 'expired token']);

export async function authenticate(
  parts: Authentication,
  request: IncomingMessage,
  address: string,
): Promise<Authenticated> {
  const { authorization, cookie } = request.headers;
  const secret = authorization === undefined ? cookieSecret(cookie) : undefined;
  if (secret !== undefined) {
    const page = checkPage(request.headers);
    if (!page.ok) return page;
  }
  const verdict = secret === undefined ? await presented(parts, authorization) : signedIn(parts, secret);
  if (!verdict.ok) return refused(parts, verdict, address);
  if (verdict.holder) noteHolder(parts.audit, verdict.key.id, verdict.holder);
  else parts.used(verdict.key.id);
  return verdict;
}

async function presented(
  { keys, oauth }: Authentication,
  authorization: string | undefined,
): Promise<Authenticated> {
  const byKey = checkKey(authorization, keys.current(), Date.now(), oauth?.challenge);
  const token = byKey.ok || !oauth ? undefined : bearerOf(authorization);
  return oauth && token !== undefined && JWT.test(token) ? oauth.check(token) : byKey;
}

function signedIn({ keys, signIns, oauth }: Authentication, secret: string): Authenticated {
  const found = signIns.find(secret);
  // The current rules apply, not those at sign-in.
  if (found?.holder && oauth) return oauth.admit({ ok: true, holder: found.holder });
  return checkSignedIn(found?.holder ? undefined : found?.key, keys.current(), Date.now());
}

async function refused(
  { limiter, audit, oauth }: Authentication,
  refusal: Refusal,
  address: string,
): Promise<Refusal> {
  // With an issuer, every client first calls without credentials, to learn where to get a token.
  if (oauth && refusal.reason === 'no key') return refusal;
  const wait = NO_GUESS.has(refusal.reason) ? 0 : await limiter.fail(address);
  if (wait === 0) {
    audit.note('denied', { address, reason: refusal.reason });
    return refusal;
  }
  return refuse(429, 'failed keys', 'Too many failed attempts from this address.', {
    hint: `Wait ${wait} seconds, then try again with a valid key.`,
    headers: { 'Retry-After': String(wait) },
  });
}

const MAX_NOTED = 10_000;
const noted = new Set<string>();

/** Calls are audited by id; whom it stands for is written down once per process, person and program. */
function noteHolder(audit: Audit, key: string, { subject, client }: Holder): void {
  const seen = `${key} ${client ?? ''}`;
  if (noted.has(seen)) return;
  if (noted.size >= MAX_NOTED) noted.clear();
  noted.add(seen);
  audit.note('holder', {
    key,
    subject: subject.slice(0, 200),
    ...(client ? { client: client.slice(0, 200) } : {}),
  });
}
