// Verifies an access token and identifies its holder. A token is valid if the configured issuer signed it for this
// server and it is within its lifetime; nothing else about it grants access.

import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { OAuthSettings } from '../../config/index.ts';
import { VaiError } from '../../domain/errors.ts';
import { isObject } from '../../domain/object.ts';
import type { Issuer } from './issuer.ts';

/** The holder of a token, as far as access depends on it. No secret. */
export interface Holder {
  subject: string;
  /** The program that got the token. */
  client?: string;
  /** As the token names them. */
  scopes: string[];
  groups: string[];
  /** Milliseconds since 1970. */
  expires: number;
}

export type Verified =
  { ok: true; holder: Holder } | { ok: false; reason: 'expired' | 'invalid' | 'unavailable' };

/** Signatures that only the issuer can make: none that is keyed with what we know too. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Access tokens. An ID token, a logout token or an identity assertion says so here and is meant for somebody else. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/at+jwt', 'application/okta-internal-at+jwt']);
const SKEW_SECONDS = 30;
const MAX_ITEMS = 1_000;

export async function verifyToken(
  token: string,
  issuer: Issuer,
  settings: OAuthSettings,
  now: number,
): Promise<Verified> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, issuer.key, {
      issuer: settings.issuer,
      audience: settings.audience,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(now),
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    const { typ } = protectedHeader;
    // A token bound to a client key must come with a proof, which is not checked here.
    const believable = (typ === undefined || TYPES.has(typ.toLowerCase())) && payload['cnf'] === undefined;
    if (!believable || typeof payload.sub !== 'string' || payload.sub === '')
      return { ok: false, reason: 'invalid' };
    return { ok: true, holder: holderOf(payload, settings) };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' };
    if (error instanceof VaiError) return { ok: false, reason: 'unavailable' };
    return { ok: false, reason: 'invalid' };
  }
}

function holderOf(payload: JWTPayload, { scopeClaims, groupsClaim }: OAuthSettings): Holder {
  const client = payload['client_id'] ?? payload['azp'] ?? payload['cid'] ?? payload['appid'];
  return {
    subject: payload.sub!,
    ...(typeof client === 'string' ? { client } : {}),
    scopes: scopeClaims.flatMap((name) => words(claim(payload, name))),
    groups: list(claim(payload, groupsClaim)),
    expires: payload.exp! * 1_000,
  };
}

/** A claim by its name, which may hold dots, or by the way to it: `realm_access.roles`. */
function claim(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const part of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** Scopes come as one text with spaces or as a list. */
function words(value: unknown): string[] {
  return typeof value === 'string' ? value.split(' ').filter(Boolean).slice(0, MAX_ITEMS) : list(value);
}

function list(value: unknown): string[] {
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  return items.filter((item) => typeof item === 'string').slice(0, MAX_ITEMS);
}
