// Words of names, and the identity of a name while a corpus is read: the same as the engine's.

import { graphKey } from '../../../domain/name-key.ts';

export { singular as singularWord } from '../../../domain/name-key.ts';

const CAMEL = /(\p{Ll}|\p{N})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const MAX_KNOWN = 100_000;

/** Words of a name: `StoreGateway`, `store-gateway` and `store gateway` are the same two. */
export function splitWords(name: string): string[] {
  return name
    .replaceAll(CAMEL, '$1$2 ')
    .split(/[\s_/-]+/)
    .filter(Boolean);
}

const known = new Map<string, string>();

/** `graphKey`, remembered: the same few names come up again and again. */
export function normalKey(name: string): string {
  const there = known.get(name);
  if (there !== undefined) return there;
  if (known.size > MAX_KNOWN) known.clear();
  const key = graphKey(name);
  known.set(name, key);
  return key;
}
