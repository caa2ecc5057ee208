// The one way into the store: cut, embed in full batches, then one transaction per document. All network work comes
// before the transaction; a document whose vectors could not be made is stored and searchable by words.

import { setImmediate } from 'node:timers/promises';
import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { DocumentWrite, Replaced, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import { prepareDocument, type Prepared } from './prepare.ts';
import type { Preparer } from './thread/preparer.ts';
import type { DocumentInput, IngestedDocument } from './types.ts';

export interface WriteOptions {
  store: Store;
  embedder?: Embedder;
  /** Store the text even when its vectors cannot be made. A refused key or a used-up budget always stops. */
  tolerant?: boolean;
  /** Adds entities and relations to the chunks of a document before it is written. */
  annotate?: (write: DocumentWrite, call: Call) => Promise<void>;
  /** Where documents are prepared; on this thread when there is none. */
  preparer?: Pick<Preparer, 'prepare'>;
}

const TURN_CHARACTERS = 500_000;

export async function writeDocument(
  options: WriteOptions,
  input: DocumentInput,
  call: Call,
): Promise<IngestedDocument> {
  const [result] = await writeDocuments(options, [input], call);
  return result!;
}

/** Embeds the chunks of several documents together, so that a hosted model sees full batches. */
export async function writeDocuments(
  options: WriteOptions,
  inputs: readonly DocumentInput[],
  call: Call,
): Promise<IngestedDocument[]> {
  const prepared = await prepareAll(options, inputs, call);
  for (const { write } of prepared) if (options.annotate) await options.annotate(write, call);
  const embedded = await embedAll(options, prepared, call);
  throwIfAborted(call.signal);
  // Handed in together, so that a store may share the cost of a commit; each document is still written whole or not.
  const replaced = await Promise.all(prepared.map(({ write }) => writeOne(options, write)));
  return prepared.map(({ write }, at) => ({
    chunks: write.chunks.length,
    chunksRemoved: replaced[at]!.chunksRemoved,
    replaced: replaced[at]!.replaced,
    sha256: write.info.sha256,
    lines: write.info.lines,
    headings: write.info.headings,
    tokens: at === 0 ? embedded.tokens : 0,
    embedded: write.chunks.filter((chunk) => chunk.vector).length,
    partial: write.info.partial === true,
    warnings: at === 0 ? embedded.warnings : [],
  }));
}

/** Cutting many texts takes a while: others get their turn in between. */
async function prepareAll(
  { preparer }: WriteOptions,
  inputs: readonly DocumentInput[],
  call: Call,
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  let characters = 0;
  for (const input of inputs) {
    if (characters > TURN_CHARACTERS) {
      characters = 0;
      await setImmediate();
      throwIfAborted(call.signal);
    }
    characters += input.read.text.length;
    prepared.push(preparer ? await preparer.prepare(input) : prepareDocument(input));
  }
  return prepared;
}

function writeOne(options: WriteOptions, write: DocumentWrite): Promise<Replaced> {
  if (options.embedder && write.chunks.some((chunk) => chunk.vector === undefined)) write.info.partial = true;
  return options.store.documents.replace(write);
}

async function embedAll(
  options: WriteOptions,
  prepared: readonly Prepared[],
  call: Call,
): Promise<{ tokens: number; warnings: string[] }> {
  const { embedder } = options;
  const chunks = prepared.flatMap(({ write }) => write.chunks);
  if (!embedder || chunks.length === 0) return { tokens: 0, warnings: [] };
  try {
    const texts = prepared.flatMap((document) => document.texts);
    const answer = await embedder.embed(texts, {
      role: 'document',
      ...(call.signal ? { signal: call.signal } : {}),
      onWait: (seconds) =>
        call.progress?.({ done: 0, message: `waiting ${seconds} s for ${embedder.model}` }),
    });
    requireVectors(embedder, texts.length, answer.vectors);
    chunks.forEach((chunk, at) => (chunk.vector = answer.vectors[at]!));
    return { tokens: answer.tokens, warnings: [] };
  } catch (thrown) {
    const error = toVaiError(thrown);
    const passing = error.ends === 'item' || (error.ends === 'run' && error.retryable);
    if (!options.tolerant || !passing) throw error;
    return { tokens: 0, warnings: [`${chunks.length} chunks were stored without vectors: ${error.message}`] };
  }
}

/** A provider that answers with fewer or misshapen vectors must not leave a half-embedded document. */
function requireVectors(embedder: Embedder, count: number, vectors: readonly Float32Array[]): void {
  if (vectors.length === count && vectors.every((vector) => vector.length === embedder.dimensions)) return;
  throw new VaiError(
    'PROVIDER_BAD_ANSWER',
    `${embedder.model} answered with vectors that do not match what was sent.`,
    {
      hint: 'Nothing was written. Try again; if it repeats, check the provider.',
    },
  );
}
