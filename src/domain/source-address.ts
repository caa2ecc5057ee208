// What a user writes for a source that is many documents: a repository or a website. Pure.

import { VaiError } from './errors.ts';

export type AddressKind = 'url' | 'repository' | 'website';

/** `github:` names a repository, `site:` a website; anything else is the address of one text. */
export function addressKind(address: string): AddressKind {
  if (/^github:/i.test(address)) return 'repository';
  return /^site:/i.test(address) ? 'website' : 'url';
}

/** Whether this is an address at all, and not a path of this machine. */
export function isAddress(place: string): boolean {
  return addressKind(place) !== 'url' || /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

export interface Repository {
  owner: string;
  name: string;
  /** Branch, tag or commit; none: what the repository shows first. */
  ref?: string;
  /** Only what is beneath this folder, or this file. */
  path?: string;
}

/** `github:owner/name[@ref][/path]`; a `/` inside a ref is written `%2F`. */
export function parseRepository(address: string): Repository {
  const match = /^github:([^/@\s]+)\/([^/@\s]+)(?:@([^/\s]+))?(?:\/(\S*))?$/i.exec(address.slice(0, 1000));
  const [owner = '', name = '', ref, path = ''] = (match ?? []).slice(1).map(decoded);
  const segments = path.split('/').filter((segment) => segment !== '');
  const right =
    /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/.test(owner) &&
    /^[A-Za-z0-9._-]{1,100}$/.test(name) &&
    !/^\.+$/.test(name) &&
    (ref === undefined || isRef(ref)) &&
    segments.every(isSegment);
  if (!right) {
    throw new VaiError('INVALID_INPUT', `\`${address.slice(0, 120)}\` does not name a repository.`, {
      hint: 'Write github:owner/name, github:owner/name@v1.2.0 or github:owner/name@main/docs.',
    });
  }
  const plain = name.replace(/\.git$/i, '');
  return {
    owner,
    name: plain,
    ...(ref ? { ref } : {}),
    ...(segments.length > 0 ? { path: segments.join('/') } : {}),
  };
}

/** What Git allows in the name of a branch or tag, as far as it matters in an address. */
function isRef(ref: string): boolean {
  return /^[A-Za-z0-9_@.+/=-]{1,200}$/.test(ref) && !/(?:^|\/)\.|\.\.|\/\/|^[-/]|[/.]$/.test(ref);
}

function isSegment(segment: string): boolean {
  // eslint-disable-next-line no-control-regex
  return segment !== '.' && segment !== '..' && !/[\\\u0000-\u001f\u007f]/.test(segment);
}

function decoded(part: string | undefined): string | undefined {
  if (part === undefined) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return '\0';
  }
}

/** The version that a tag names: `v4.1.0`, `zod@3.25.1`, `release-2.0`. None for a branch or a commit. */
export function versionOfRef(ref: string | undefined): string | undefined {
  return /(?:^|[-@/])v?(\d{1,9}(?:\.\d{1,9}){1,3}(?:-[0-9A-Za-z.]{1,40})?|(?<=v)\d{1,4})$/.exec(
    ref ?? '',
  )?.[1];
}
