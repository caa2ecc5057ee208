// What a person types or pastes for a source, as the address the server takes.

import { decoded } from './links.ts';

export interface RepositoryInput {
  /** `owner/name`, or an address of GitHub as the browser shows it. */
  repository: string;
  /** Branch, tag or commit. */
  ref?: string;
  folder?: string;
}

/** `github:owner/name[@ref][/folder]`; undefined where no repository is named. */
export function repositoryAddress(input: RepositoryInput): string | undefined {
  const parts = input.repository
    .trim()
    .replace(/^(?:github:|https?:\/\/)/i, '')
    .replace(/^git@([\w.-]+):/, '$1/')
    .split(/[?#]/, 1)[0]!
    .split('/')
    .filter(Boolean);
  // An owner has no dot in its name, a host has.
  if (parts[0]?.includes('.')) parts.shift();
  const [owner, named = '', kind, shown, ...rest] = parts;
  const [name, tag] = named.replace(/\.git$/i, '').split('@', 2);
  if (!owner || !name) return undefined;
  // `/tree/main/docs` and `/blob/main/docs` are what GitHub shows for a folder and a file.
  const browsed = kind === 'tree' || kind === 'blob';
  const ref = input.ref?.trim() || (browsed ? shown : undefined) || tag;
  const below = browsed ? rest : [kind, shown, ...rest].filter((part) => part !== undefined);
  const folder = input.folder?.trim() ? input.folder.trim().split('/').filter(Boolean) : below;
  // An address pasted from a browser has its signs escaped already.
  return [
    `github:${owner}/${name}${ref ? `@${encodeURIComponent(ref)}` : ''}`,
    ...folder.map((part) => encodeURIComponent(decoded(part))),
  ].join('/');
}

/** A name that a source may have, from whatever names it: the last part of a path, a host. */
export function suggestedName(text: string): string {
  const host = /^https?:\/\/([^/:]+)/i.exec(text)?.[1];
  const last = host ?? text.split('/').filter(Boolean).at(-1) ?? '';
  return last
    .replace(/^(?:www|docs|developer)\./i, '')
    .replace(host ? /\.[a-z]+$/i : /\.git$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/-$/, '')
    .slice(0, 64);
}
