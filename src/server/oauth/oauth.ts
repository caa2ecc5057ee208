// The server as an OAuth 2.1 resource server: it states whose tokens it accepts (RFC 9728), points clients there, and
// authenticates callers by those tokens. It issues no tokens and never passes one on.

import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import type { OAuthSettings } from '../../config/index.ts';
import { refuse, type Refusal, type Verdict } from '../http/guards/verdict.ts';
import type { Caller } from '../keys/entry.ts';
import { accessOf, scopesToAsk } from './access.ts';
import { createIssuer, type AskIssuer } from './issuer.ts';
import { createPageSignIn, type PageSignIn } from './page-sign-in.ts';
import { verifyToken, type Holder, type Verified } from './verify.ts';

export interface OAuth {
  issuer: string;
  /** What `WWW-Authenticate` adds, so that a client finds the issuer. */
  challenge: string;
  /** The document of RFC 9728. */
  metadata: object;
  check(token: string): Promise<Verdict<{ key: Caller; holder: Holder }>>;
  /** What somebody may do right now who was let in before. */
  admit(verified: Verified): Verdict<{ key: Caller; holder: Holder }>;
  page?: PageSignIn;
}

export interface OAuthOptions {
  settings: OAuthSettings;
  ask: AskIssuer;
  /** Milliseconds since 1970. */
  now: () => number;
}

const RETRY_SECONDS = 10;

export function createOAuth({ settings, ask, now }: OAuthOptions): OAuth {
  const issuer = createIssuer(settings.issuer, ask, now);
  const scopes = scopesToAsk(settings);
  const resource = new URL(settings.resource);
  const place = getOAuthProtectedResourceMetadataUrl(resource);
  const challenge = `resource_metadata="${place}", scope="${scopes.join(' ')}"`;
  const verify = (token: string): Promise<Verified> => verifyToken(token, issuer, settings, now());

  const admit: OAuth['admit'] = (verified) => {
    if (!verified.ok) return notBelieved(verified.reason, challenge);
    const { holder } = verified;
    const allowed = accessOf(holder, settings);
    return allowed.ok ? { ok: true, key: allowed.caller, holder } : notAllowed(allowed.reason, challenge);
  };
  const page = createPageSignIn({ settings, issuer, ask, scopes, verify });
  return {
    issuer: settings.issuer,
    challenge,
    metadata: {
      resource: settings.resource,
      authorization_servers: [settings.issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'vai',
    },
    check: async (token) => admit(await verify(token)),
    admit,
    ...(page ? { page } : {}),
  };
}

function notBelieved(reason: 'expired' | 'invalid' | 'unavailable', challenge: string): Refusal {
  if (reason === 'unavailable')
    return refuse(
      503,
      'issuer',
      'The issuer of this token cannot be reached, so the token is not accepted.',
      {
        hint: 'Try again in a moment.',
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      },
    );
  const expired = reason === 'expired';
  return refuse(
    401,
    `${reason} token`,
    expired ? 'This token has expired.' : 'This token is not valid here.',
    {
      hint: 'Get a new one from the issuer that this server names.',
      headers: { 'WWW-Authenticate': `Bearer realm="vai", error="invalid_token", ${challenge}` },
    },
  );
}

function notAllowed(reason: 'no access' | 'no scope', challenge: string): Refusal {
  if (reason === 'no access')
    return refuse(403, 'no access', 'No access rule of this server applies to you.', {
      hint: 'Ask its owner which group you need to be in.',
    });
  return refuse(403, 'no scope', 'This token has none of the scopes you may use here.', {
    hint: 'Ask the issuer for one of the scopes that this server names.',
    headers: { 'WWW-Authenticate': `Bearer realm="vai", error="insufficient_scope", ${challenge}` },
  });
}
