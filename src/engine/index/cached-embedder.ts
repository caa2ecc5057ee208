// An embedder in front of the store's cache, so that no vector is paid for twice. Every batch is cached as soon as it
// arrives, so that a killed run continues from there.

import { hash } from 'node:crypto';
import { throwIfAborted } from '../../domain/errors.ts';
import { atMost, inGroups } from '../../domain/few-at-a-time.ts';
import type { Embedded, Embedder, EmbedOptions } from '../../ports/embedder.ts';
import type { Cache } from '../../ports/store.ts';

const EMBEDDING_CACHE = 'embeddings';

/** Texts sent to the embedder together; at most twice as many are lost when the process dies. */
const GROUP = 128;
const AT_ONCE = 2;
const LOOKUP = 500;
/** What the cache may hold; the oldest go first. About 200,000 vectors of 1,024 dimensions. */
const MAX_BYTES = 1_000_000_000;
/** Trimming the cache takes time, so it happens only after this many groups. */
const TRIM_EVERY = 50;
const written = new WeakMap<Cache, number>();

export function cachedEmbedder(embedder: Embedder, cache: Cache): Embedder {
  return {
    ...embedder,
    embed: (texts, options) => embedThrough(embedder, cache, texts, options),
  };
}

/** Names everything the vector depends on. */
export function embeddingKey(
  embedder: Pick<Embedder, 'model' | 'dimensions'>,
  role: EmbedOptions['role'],
  text: string,
): string {
  return hash('sha256', `${embedder.model}\n${embedder.dimensions}\n${role}\n${text}`, 'hex');
}

async function embedThrough(
  embedder: Embedder,
  cache: Cache,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Embedded> {
  const keys = texts.map((text) => embeddingKey(embedder, options.role, text));
  const known = await lookUp(cache, [...new Set(keys)], embedder.dimensions);
  const missing = new Map<string, string>();
  keys.forEach((key, at) => {
    if (!known.has(key)) missing.set(key, texts[at]!);
  });
  let done = texts.length - missing.size;
  if (done > 0) options.onProgress?.(done);
  const groups = inGroups([...missing], GROUP);
  let tokens = 0;
  let requests = 0;
  await atMost(AT_ONCE, groups, async (group) => {
    throwIfAborted(options.signal);
    const answer = await embedder.embed(
      group.map(([, text]) => text),
      { ...options, onProgress: undefined },
    );
    tokens += answer.tokens;
    requests += answer.requests;
    const fresh = group.map(([key], at): [string, Float32Array] => [key, answer.vectors[at]!]);
    for (const [key, vector] of fresh) known.set(key, vector);
    await cache.put(EMBEDDING_CACHE, new Map(fresh.map(([key, vector]) => [key, toBytes(vector)])));
    await trimNowAndThen(cache);
    done += group.length;
    options.onProgress?.(done);
  });
  return { vectors: keys.map((key) => known.get(key)!), tokens, requests };
}

async function trimNowAndThen(cache: Cache): Promise<void> {
  const count = written.get(cache) ?? 1;
  written.set(cache, count + 1);
  if (count % TRIM_EVERY === 0) await cache.trim(EMBEDDING_CACHE, MAX_BYTES);
}

async function lookUp(
  cache: Cache,
  keys: readonly string[],
  dimensions: number,
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const part of inGroups(keys, LOOKUP)) {
    for (const [key, bytes] of await cache.get(EMBEDDING_CACHE, part)) {
      // A cached value of the wrong length is not trusted; it is computed again and overwritten.
      if (bytes.byteLength === dimensions * 4) found.set(key, fromBytes(bytes));
    }
  }
  return found;
}

/** Little-endian on every machine, so that a copied database stays readable. */
function toBytes(vector: Float32Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes;
}

function fromBytes(bytes: Uint8Array): Float32Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, at) => buffer.readFloatLE(at * 4));
}
