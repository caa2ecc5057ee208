// A link that signs one browser in, instead of a key to paste. Its code comes after the `#`, which no browser sends to
// a server and no proxy logs.

import { VaiError } from '../../domain/errors.ts';
import type { KeyEntry } from '../../server/keys/entry.ts';
import { readKeys } from '../../server/keys/live.ts';
import { LINK_MINUTES, signIns } from '../../server/sign-in/sign-ins.ts';

interface SignInLink {
  url: string;
  key: string;
  minutes: number;
}

interface LinkRequest {
  home: string;
  configPath: string;
  /** Of the server. */
  url: string;
  key?: string;
}

export function signInLink({ home, configPath, url, key: id }: LinkRequest): SignInLink {
  const keys = readKeys(configPath) ?? [];
  const key = id === undefined ? mostScopes(keys) : keys.find((one) => one.id === id);
  if (!key)
    throw new VaiError(
      'INVALID_INPUT',
      id ? `There is no key \`${id.slice(0, 60)}\`.` : 'There is no key to sign in with yet.',
      {
        hint: id ? 'See `vai mcp-server list-keys`.' : 'Create one with `vai mcp-server generate-key`.',
      },
    );
  const code = signIns(home, Date.now).makeLink(key.id);
  return { url: `${url.replace(/\/$/, '')}/#/sign-in?code=${code}`, key: key.id, minutes: LINK_MINUTES };
}

function mostScopes(keys: readonly KeyEntry[]): KeyEntry | undefined {
  const open = keys.filter(({ expires }) => expires === undefined || expires > Date.now());
  return open.toSorted((a, b) => b.scopes.length - a.scopes.length)[0];
}
