// Who calls: the bearer key, looked up by its digest. A guess is hashed before anything is compared, so the time taken
// says nothing about how close it was: whoever changes a letter changes all of the digest.

import { hash } from 'node:crypto';
import type { Caller } from '../../keys/entry.ts';
import type { KeyRing } from '../../keys/live.ts';
import { refuse, type Verdict } from './verdict.ts';

const REALM = 'Bearer realm="vai"';
const MAX_TOKEN_LENGTH = 512;
const HOW = 'Send it as `Authorization: Bearer vai-mcp-key-…`.';

/** The text behind `Bearer`; undefined when there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1];
}

/** `challenge`: where a client may get a token instead, for `WWW-Authenticate`. */
export function checkKey(
  header: string | undefined,
  keys: KeyRing,
  now: number,
  challenge?: string,
): Verdict<{ key: Caller }> {
  if (keys.size === 0 && challenge === undefined) {
    return unauthorized('no keys', 'This server has no keys yet, so nobody may call it.', {
      hint: 'Create one with `vai mcp-server generate-key`; it works at once, without a restart.',
    });
  }
  if (header === undefined || header === '') {
    const what = challenge === undefined ? 'A key' : 'A token or a key';
    return unauthorized('no key', `${what} is required.`, { hint: HOW, challenge });
  }
  const token = bearerOf(header);
  const key =
    token && token.length <= MAX_TOKEN_LENGTH ? keys.find(hash('sha256', token, 'buffer')) : undefined;
  if (!key) {
    return unauthorized('wrong key', 'This key is not valid here.', {
      hint: token
        ? 'Ask the owner of the server for a key, or create one with `vai mcp-server generate-key`.'
        : HOW,
      wrong: true,
      challenge,
    });
  }
  return inForce(key, now);
}

/** A browser is signed in with a key, as long as that holds. */
export function checkSignedIn(id: string | undefined, keys: KeyRing, now: number): Verdict<{ key: Caller }> {
  const key = id === undefined ? undefined : keys.byId(id);
  if (key) return inForce(key, now);
  return unauthorized('signed out', 'This browser is no longer signed in.', {
    hint: 'Open a new link from `vai mcp-server sign-in-link`, or enter a key.',
  });
}

function inForce(key: Caller, now: number): Verdict<{ key: Caller }> {
  if (key.expires !== undefined && key.expires <= now) {
    return unauthorized('expired key', 'This key has expired.', {
      hint: 'Ask the owner of the server for a new one.',
      wrong: true,
    });
  }
  return { ok: true, key };
}

function unauthorized(
  reason: string,
  message: string,
  { hint, wrong = false, challenge }: { hint: string; wrong?: boolean; challenge?: string | undefined },
): Verdict<{ key: Caller }> {
  const parts = [REALM, ...(wrong ? ['error="invalid_token"'] : []), ...(challenge ? [challenge] : [])];
  return refuse(401, reason, message, { hint, headers: { 'WWW-Authenticate': parts.join(', ') } });
}
