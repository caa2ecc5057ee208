// Signed-in browsers. A one-time link and the sign-in it is exchanged for are files named by the digest of a secret, in a
// folder of the home: every worker and every server of the home sees them, and whoever removes a link first has used it.
// Each is bound to a key and ends with it, or to the holder of a token and ends when that does.

import { hash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import type { Holder } from '../oauth/verify.ts';

export const SIGN_IN_FOLDER = 'sign-ins';
export const LINK_MINUTES = 10;
export const SIGNED_IN_DAYS = 30;
const SECRET_BYTES = 32;
/** Of each kind for one key: more than anyone has browsers. The oldest of that key make room, never those of others. */
const MOST = 100;
const SECRET = /^[\w-]{43}$/;

type Kind = 'link' | 'browser';

const LIFETIME_MS: Record<Kind, number> = {
  link: LINK_MINUTES * 60_000,
  browser: SIGNED_IN_DAYS * 86_400_000,
};

interface Stored {
  /** Id of the key it stands for, or of the holder. */
  key: string;
  holder?: Holder;
  /** Milliseconds since 1970. */
  expires: number;
}

export interface SignIns {
  /** A secret for a link that signs one browser in. */
  makeLink(key: string): string;
  /** The key of a link, which works no second time; undefined when there is none. */
  useLink(secret: string): string | undefined;
  signIn(key: string, holder?: Holder): string;
  /** What a browser is signed in with. */
  find(secret: string): Pick<Stored, 'key' | 'holder'> | undefined;
  signOut(secret: string): void;
}

export function signIns(home: string, now: () => number): SignIns {
  const folder = join(home, SIGN_IN_FOLDER);
  const file = (kind: Kind, secret: string): string =>
    join(folder, `${kind}-${hash('sha256', secret, 'hex')}`);

  function make(kind: Kind, key: string, holder?: Holder): string {
    makeFolder(folder, 0o700);
    prune(kind, key);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const longest = now() + LIFETIME_MS[kind];
    const stored: Stored = holder
      ? { key, holder, expires: Math.min(longest, holder.expires) }
      : { key, expires: longest };
    writeFileSync(file(kind, secret), JSON.stringify(stored), { mode: 0o600, flag: 'wx' });
    return secret;
  }

  function read(path: string): Stored | undefined {
    try {
      const { key, holder, expires } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Stored>;
      return typeof key === 'string' && typeof expires === 'number' && expires > now()
        ? { key, expires, ...(holder ? { holder } : {}) }
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Takes away what has ended, and the soonest to end where this key has too many. */
  function prune(kind: Kind, key: string): void {
    const open: { path: string; expires: number }[] = [];
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stored = read(path);
      if (!stored) rmSync(path, { force: true });
      else if (stored.key === key && name.startsWith(kind)) open.push({ path, expires: stored.expires });
    }
    open.sort((a, b) => b.expires - a.expires);
    for (const { path } of open.slice(MOST - 1)) rmSync(path, { force: true });
  }

  return {
    makeLink: (key) => make('link', key),
    useLink(secret) {
      if (!SECRET.test(secret)) return undefined;
      const path = file('link', secret);
      const stored = read(path);
      try {
        // Of two that come at once, one removes the file and the other fails.
        unlinkSync(path);
      } catch {
        return undefined;
      }
      return stored?.key;
    },
    signIn: (key, holder) => make('browser', key, holder),
    find: (secret) => (SECRET.test(secret) ? read(file('browser', secret)) : undefined),
    signOut(secret) {
      if (SECRET.test(secret)) rmSync(file('browser', secret), { force: true });
    },
  };
}
