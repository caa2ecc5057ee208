// Ids of chunks outside the store: the collection and the document's own `_id`, whatever type a foreign one has.

import { hash } from 'node:crypto';

export interface ChunkId {
  collection: string;
  /** A string, or the hex digits of an ObjectId. */
  id: string;
  objectId: boolean;
}

export function formatChunkId(collection: string, id: unknown): string {
  return typeof id === 'string' ? `${collection}/s:${id}` : `${collection}/o:${String(id)}`;
}

/** What was never one of ours gives undefined. */
export function parseChunkId(text: string): ChunkId | undefined {
  const slash = text.indexOf('/');
  const kind = text.slice(slash + 1, slash + 3);
  const id = text.slice(slash + 3);
  if (slash < 1 || id === '' || (kind !== 's:' && kind !== 'o:')) return undefined;
  if (kind === 'o:' && !/^[0-9a-f]{24}$/.test(id)) return undefined;
  return { collection: text.slice(0, slash), id, objectId: kind === 'o:' };
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Identity of a document across its versions, as the tools report it. */
export function docId(collection: string, path: string): string {
  return sha256(`${collection}\n${path}`).slice(0, 24);
}
