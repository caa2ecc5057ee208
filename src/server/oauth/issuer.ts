// The issuer whose tokens are accepted: where it keeps what, and the keys it signs with right now. Keys are fetched when
// a token comes, looked at again after some minutes (a key the issuer withdrew ends then), and at once when a token names
// one that is not known (a new key), though not at the pace of whoever makes up names.

import { createLocalJWKSet, errors, type JWSHeaderParameters, type JWTVerifyGetKey } from 'jose';
import { isSecureUrl } from '../../config/index.ts';
import { VaiError } from '../../domain/errors.ts';
import { isObject } from '../../domain/object.ts';

/** JSON from an address, under the rules of outgoing requests; with a form it is posted. */
export type AskIssuer = (url: string, form?: URLSearchParams) => Promise<unknown>;

export interface Metadata {
  authorizationEndpoint?: string;
  tokenEndpoint?: string;
  jwksUri: string;
}

export interface Issuer {
  metadata(): Promise<Metadata>;
  /** The key a token names. Throws `FETCH_FAILED` when the issuer cannot be asked, an error of jose when it has none. */
  key: JWTVerifyGetKey;
}

/** A withdrawn key ends after this long. */
const LOOK_AGAIN_MS = 5 * 60_000;
/** If the issuer cannot be reached, its last known keys are used this long. */
const KEEP_MS = 15 * 60_000;
/** Between two looks because of a key that is not known, or because the last one failed. */
const PAUSE_MS = 10_000;
const MAX_KEYS = 100;

interface Known {
  metadata: Metadata;
  find: ReturnType<typeof createLocalJWKSet>;
  at: number;
}

export function createIssuer(issuer: string, ask: AskIssuer, now: () => number): Issuer {
  let known: Known | undefined;
  let lookedAt = -Infinity;
  let looking: Promise<void> | undefined;

  const look = (): Promise<void> => {
    lookedAt = now();
    looking ??= (async () => {
      const metadata = await discover(issuer, ask);
      known = { metadata, find: keySet(await ask(metadata.jwksUri)), at: now() };
    })().finally(() => (looking = undefined));
    return looking;
  };

  const current = async (): Promise<Known> => {
    const age = known ? now() - known.at : Infinity;
    const mayLook = looking !== undefined || now() - lookedAt >= PAUSE_MS;
    if (age >= LOOK_AGAIN_MS && mayLook) {
      await look().catch((error: unknown) => {
        if (age >= KEEP_MS) throw unreachable(error);
      });
    }
    if (!known || now() - known.at >= KEEP_MS) throw unreachable();
    return known;
  };

  return {
    metadata: async () => (await current()).metadata,
    async key(header: JWSHeaderParameters, token) {
      const { find } = await current();
      try {
        return await find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || now() - lookedAt < PAUSE_MS) throw error;
        await look().catch(() => {});
        return (await current()).find(header, token);
      }
    },
  };
}

function unreachable(cause?: unknown): VaiError {
  return new VaiError('FETCH_FAILED', 'The keys of the token issuer cannot be fetched.', { cause });
}

/** OpenID Connect first, then RFC 8414. The issuer's metadata must name the configured issuer. */
async function discover(issuer: string, ask: AskIssuer): Promise<Metadata> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  let failed: unknown;
  for (const place of places) {
    try {
      return read(await ask(place), issuer);
    } catch (error) {
      failed ??= error;
    }
  }
  throw failed;
}

function read(document: unknown, issuer: string): Metadata {
  const fields = isObject(document) ? document : {};
  if (fields['issuer'] !== issuer)
    throw new VaiError('CONFIG_INVALID', 'The issuer states another name than the OAuth file.');
  const endpoint = (name: string): string | undefined => {
    const value = fields[name];
    if (typeof value !== 'string') return undefined;
    if (URL.canParse(value) && isSecureUrl(new URL(value))) return value;
    throw new VaiError('CONFIG_INVALID', 'The issuer names an address that is not https.');
  };
  const jwksUri = endpoint('jwks_uri');
  if (jwksUri === undefined) throw new VaiError('CONFIG_INVALID', 'The issuer names no keys.');
  const authorizationEndpoint = endpoint('authorization_endpoint');
  const tokenEndpoint = endpoint('token_endpoint');
  return {
    jwksUri,
    ...(authorizationEndpoint ? { authorizationEndpoint } : {}),
    ...(tokenEndpoint ? { tokenEndpoint } : {}),
  };
}

function keySet(document: unknown): Known['find'] {
  const keys = isObject(document) ? document['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new VaiError('CONFIG_INVALID', 'The keys of the issuer cannot be read.');
  // A key shared with the issuer would let whoever verifies sign as well.
  return createLocalJWKSet({ keys: keys.filter((key) => isObject(key) && key['kty'] !== 'oct') as never });
}
