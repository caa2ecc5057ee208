// What the holder of a token may do: what the first rule that fits allows, as far as the token's scopes reach. Only one
// rule applies, because combining two would let someone write to a collection that one of them only lets them read.

import { hash } from 'node:crypto';
import type { OAuthSettings } from '../../config/index.ts';
import type { AccessScope } from '../../domain/scopes.ts';
import type { Caller } from '../keys/entry.ts';
import type { Holder } from './verify.ts';

const ID_DIGITS = 16;

export type Allowed = { ok: true; caller: Caller } | { ok: false; reason: 'no access' | 'no scope' };

export function accessOf(holder: Holder, settings: OAuthSettings): Allowed {
  const rule = settings.access.find(
    ({ groups }) => groups === undefined || groups.some((group) => holder.groups.includes(group)),
  );
  if (!rule) return { ok: false, reason: 'no access' };
  const asked = new Set(holder.scopes);
  const granted = Object.entries(settings.scopes)
    .filter(([name]) => asked.has(name) || asked.has(withoutResource(name)))
    .map(([, scope]) => scope);
  const scopes = rule.scopes.filter((scope) => granted.includes(scope));
  if (scopes.length === 0) return { ok: false, reason: 'no scope' };
  const { collections, rate, spending } = rule;
  return {
    ok: true,
    caller: {
      id: idOf(settings.issuer, holder.subject),
      name: '',
      scopes,
      collections,
      ...(rate === undefined ? {} : { rate }),
      ...(spending === undefined ? {} : { spending }),
      expires: holder.expires,
      byToken: true,
    },
  };
}

/** Some issuers take `api://vai/read` and write `read` into the token, whose audience says the rest. */
function withoutResource(scope: string): string {
  return scope.slice(scope.lastIndexOf('/') + 1);
}

/** The same person has the same id from every program, and it cannot be taken for the id of a key. */
function idOf(issuer: string, subject: string): string {
  return `user-${hash('sha256', `${issuer}\n${subject}`, 'hex').slice(0, ID_DIGITS)}`;
}

/** Everything a client may have to ask the issuer for: scopes that some rule can give. */
export function scopesToAsk({ scopes, access }: OAuthSettings): string[] {
  const given = new Set<AccessScope>(access.flatMap((rule) => rule.scopes));
  return Object.entries(scopes)
    .filter(([, scope]) => given.has(scope))
    .map(([name]) => name);
}
