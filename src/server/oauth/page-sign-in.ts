// A person signs in on the page through the issuer: authorization code with PKCE. What has to come back unchanged
// travels in a cookie that no script reads; the access token is verified once, like any other, and not stored.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OAuthSettings } from '../../config/index.ts';
import { isObject } from '../../domain/object.ts';
import { cookieNamed } from '../http/guards/cookie.ts';
import { RETURN_PATH } from '../http/guards/route.ts';
import type { AskIssuer, Issuer } from './issuer.ts';
import type { Verified } from './verify.ts';

const COOKIE = 'vai-sign-in-flow';
const MINUTES = 10;
const SECRET = /^[\w-]{43}$/;

export interface PageSignIn {
  /** Where the browser is sent, and the cookie it takes along. */
  begin(): Promise<{ location: string; cookie: string }>;
  /** Whom it came back as. */
  end(query: URLSearchParams, cookieHeader: string | undefined): Promise<Verified>;
  /** Takes the cookie away. */
  over: string;
  /** Whether the page is reached over https. */
  secure: boolean;
}

interface Parts {
  settings: OAuthSettings;
  issuer: Issuer;
  ask: AskIssuer;
  scopes: readonly string[];
  verify: (token: string) => Promise<Verified>;
}

const INVALID: Verified = { ok: false, reason: 'invalid' };

export function createPageSignIn({ settings, issuer, ask, scopes, verify }: Parts): PageSignIn | undefined {
  const { page, resource } = settings;
  if (!page) return undefined;
  const redirectUri = `${new URL(resource).origin}${RETURN_PATH}`;
  const secure = resource.startsWith('https:');

  return {
    over: cookie('', 0, secure),
    secure,
    async begin() {
      const { authorizationEndpoint } = await issuer.metadata();
      if (authorizationEndpoint === undefined) throw new Error('the issuer has no authorization endpoint');
      const state = secret();
      const verifier = secret();
      const location = new URL(authorizationEndpoint);
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: page.clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        code_challenge: hash('sha256', verifier, 'base64url'),
        code_challenge_method: 'S256',
        resource,
      }))
        location.searchParams.set(name, value);
      return { location: location.href, cookie: cookie(`${state}.${verifier}`, MINUTES * 60, secure) };
    },

    async end(query, cookieHeader) {
      const [state, verifier] = flowOf(cookieHeader);
      const code = query.get('code');
      // Another issuer than the one that was asked may not answer (RFC 9207).
      const from = query.get('iss');
      if (!state || !verifier || !code || !same(query.get('state'), state)) return INVALID;
      if (from !== null && from !== settings.issuer) return INVALID;
      const { tokenEndpoint } = await issuer.metadata();
      if (tokenEndpoint === undefined) return INVALID;
      const answer = await ask(
        tokenEndpoint,
        new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          client_id: page.clientId,
          code_verifier: verifier,
          resource,
          ...(page.clientSecret === undefined ? {} : { client_secret: page.clientSecret }),
        }),
      );
      const token = isObject(answer) ? answer['access_token'] : undefined;
      return typeof token === 'string' ? verify(token) : INVALID;
    },
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** Lax: the browser comes back from the issuer's page, which is another site. */
function cookie(value: string, seconds: number, secure: boolean): string {
  return `${COOKIE}=${value}; Path=/sign-in; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

function flowOf(header: string | undefined): [string?, string?] {
  const [state, verifier] = cookieNamed(COOKIE, header)?.split('.') ?? [];
  return state && verifier && SECRET.test(state) && SECRET.test(verifier) ? [state, verifier] : [];
}

function same(given: string | null, wanted: string): boolean {
  // Letters of several bytes would have another length as bytes than as text.
  return SECRET.test(given ?? '') && timingSafeEqual(Buffer.from(given!), Buffer.from(wanted));
}
