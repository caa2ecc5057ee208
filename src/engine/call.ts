// The caller, an abort signal and a progress callback: what every engine method takes besides its own input.

import { collectionNotFound, fewNames } from '../domain/collection.ts';
import { VaiError } from '../domain/errors.ts';
import type { AccessScope } from '../domain/scopes.ts';

export type { AccessScope };

/** What a caller may do. A local process may do everything; a key over HTTP only what it was created for. */
export interface Principal {
  /** `local`, or the id of a key: safe to log. */
  id: string;
  scopes: readonly AccessScope[];
  /** Collections the caller may list, search, read, cite and write. */
  collections: '*' | readonly string[];
  /** Databases the caller may name. */
  databases: '*' | readonly string[];
  /** Dollars a day for hosted models; undefined: the server's own limit. */
  spending?: number;
  /** The server accepts no writes at all. */
  readOnly?: boolean;
}

export interface Progress {
  done: number;
  total?: number;
  message?: string;
}

export interface Call {
  principal: Principal;
  /** Somebody at a terminal of this machine asks, who may see its paths as they are. */
  atTerminal?: true;
  signal?: AbortSignal;
  progress?: (progress: Progress) => void;
}

export const LOCAL: Principal = {
  id: 'local',
  scopes: ['read', 'write', 'admin'],
  collections: '*',
  databases: '*',
};

export function localCall(options: Omit<Call, 'principal'> = {}): Call {
  return { principal: LOCAL, ...options };
}

export function mayUse(principal: Principal, collection: string): boolean {
  return principal.collections === '*' || principal.collections.includes(collection);
}

export function requireScope(principal: Principal, scope: AccessScope): void {
  if (principal.scopes.includes(scope)) return;
  if (principal.readOnly)
    throw new VaiError('NOT_ALLOWED', 'This server is read-only.', {
      hint: 'Write through another server, or start this one without --read-only.',
    });
  throw new VaiError('NOT_ALLOWED', `This key has no ${scope} scope.`, {
    hint: `Ask the server's owner for a key with the ${scope} scope.`,
  });
}

/** For what touches a database as a whole: a key for some of its collections is not enough. */
export function requireEverything(principal: Principal): void {
  requireScope(principal, 'admin');
  if (principal.collections === '*') return;
  throw new VaiError('NOT_ALLOWED', 'This key is for some collections only.', {
    hint: "Ask the server's owner for a key with the admin scope and every collection.",
  });
}

/** A collection the caller may not see does not exist for it: the same error, so names cannot be probed. */
export function requireCollection(principal: Principal, collection: string): void {
  const { collections } = principal;
  if (collections === '*' || collections.includes(collection)) return;
  throw collectionNotFound(collection, { hint: `This key is for ${fewNames(collections)} only.` });
}
