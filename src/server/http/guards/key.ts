// Who calls: the bearer key, looked up by its digest. A guess is hashed before anything is compared, so the time taken
// says nothing about how close it was: whoever changes a letter changes all of the digest.

import { hash } from 'node:crypto';
import type { KeyEntry } from '../../keys/entry.ts';
import type { KeyRing } from '../../keys/live.ts';
import { refuse, type Verdict } from './verdict.ts';

const REALM = 'Bearer realm="vai"';
const MAX_TOKEN_LENGTH = 512;
const HOW = 'Send it as `Authorization: Bearer vai-mcp-key-…`.';

export function checkKey(header: string | undefined, keys: KeyRing, now: number): Verdict<{ key: KeyEntry }> {
  if (keys.size === 0) {
    return unauthorized('no keys', 'This server has no keys yet, so nobody may call it.', {
      hint: 'Make one with `vai mcp-server generate-key`; it works at once, without a restart.',
    });
  }
  if (header === undefined || header === '') {
    return unauthorized('no key', 'A key is required.', {
      hint: HOW,
    });
  }
  const token = /^Bearer ([\x21-\x7e]+)$/i.exec(header)?.[1];
  const key =
    token && token.length <= MAX_TOKEN_LENGTH ? keys.find(hash('sha256', token, 'buffer')) : undefined;
  if (!key) {
    return unauthorized('wrong key', 'This key is not valid here.', {
      hint: token
        ? 'Ask the owner of the server for a key, or make one with `vai mcp-server generate-key`.'
        : HOW,
      wrong: true,
    });
  }
  return inForce(key, now);
}

/** A browser is signed in with a key, as long as that holds. */
export function checkSignedIn(
  id: string | undefined,
  keys: KeyRing,
  now: number,
): Verdict<{ key: KeyEntry }> {
  const key = id === undefined ? undefined : keys.byId(id);
  if (key) return inForce(key, now);
  return unauthorized('signed out', 'This browser is not signed in any more.', {
    hint: 'Open a new link from `vai mcp-server sign-in-link`, or enter a key.',
  });
}

function inForce(key: KeyEntry, now: number): Verdict<{ key: KeyEntry }> {
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
  { hint, wrong = false }: { hint: string; wrong?: boolean },
): Verdict<{ key: KeyEntry }> {
  return refuse(401, reason, message, {
    hint,
    headers: { 'WWW-Authenticate': wrong ? `${REALM}, error="invalid_token"` : REALM },
  });
}
