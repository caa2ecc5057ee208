// Vectors for chunks: kept, made in batches, and one bad text costs one chunk.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { localCall } from '../../../src/engine/call.ts';
import { embeddingFor, embedMissing, keepVectors, type Embedding } from '../../../src/engine/index/embed.ts';
import type { Prepared } from '../../../src/engine/index/prepare.ts';
import type { Target } from '../../../src/engine/index/target.ts';
import type { IndexFailure } from '../../../src/engine/index/types.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { Store } from '../../../src/ports/store.ts';

type Chunk = {
  text: string;
  startLine: number;
  endLine: number;
  headingPath: string[];
  vector?: Float32Array;
};

function prepared(path: string, texts: string[]): Prepared & { write: { chunks: Chunk[] } } {
  const chunks = texts.map((text, at): Chunk => ({ text, startLine: at, endLine: at, headingPath: [] }));
  const write = { info: { collection: 'docs', path, title: 'T' }, chunks };
  return { write, texts, input: {} } as unknown as Prepared & { write: { chunks: Chunk[] } };
}

function model(answer: (texts: readonly string[]) => Float32Array[], more: object = {}) {
  const asked: (readonly string[])[] = [];
  const embedder = {
    model: 'test',
    dimensions: 2,
    hosted: true,
    embed: (texts: readonly string[]) => {
      asked.push(texts);
      return Promise.resolve().then(() => ({
        vectors: answer(texts),
        tokens: 10 * texts.length,
        requests: 1,
      }));
    },
    ...more,
  } as unknown as Embedder;
  return { asked, embedder };
}

const job = (embedder: Embedder, more: Partial<Embedding> = {}): Embedding => ({
  ...embeddingFor(
    { embedder, collection: { embedding: { model: 'test', dimensions: 2 } } } as unknown as Target,
    localCall(),
    { tolerant: true, tell: () => undefined },
  )!,
  ...more,
});

const vectors = (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length, 0));
const failing = (code: 'PROVIDER_BAD_REQUEST' | 'PROVIDER_UNAVAILABLE' | 'PROVIDER_AUTH') =>
  new VaiError(code, 'no');

async function run(embedding: Embedding, documents: Prepared[]): Promise<IndexFailure[]> {
  const failures: IndexFailure[] = [];
  await embedMissing(embedding, documents, (failure) => failures.push(failure));
  return failures;
}

describe('missing vectors', () => {
  it('are made together, and counted', async () => {
    const { asked, embedder } = model(vectors);
    const [a, b] = [prepared('a', ['x', 'yy']), prepared('b', ['zzz'])];
    a.write.chunks[0]!.vector = Float32Array.of(9, 9);
    const embedding = job(embedder);
    assert.deepEqual(await run(embedding, [a, b]), []);
    assert.deepEqual(asked, [['yy', 'zzz']]);
    assert.deepEqual(
      [...a.write.chunks, ...b.write.chunks].map(({ vector }) => vector![0]),
      [9, 2, 3],
    );
    assert.equal(embedding.tokens, 20);
    assert.deepEqual(
      [embedding.calls.embedRequests, embedding.calls.embeddedTexts, embedding.calls.inputTokens],
      [1, 2, 20],
    );
  });

  it('of a model in this process are made in turns, and cost nothing', async () => {
    const { asked, embedder } = model(vectors, { hosted: false });
    const embedding = job(embedder);
    await run(embedding, [prepared('a', Array<string>(600).fill('x'))]);
    assert.deepEqual(
      asked.map((texts) => texts.length),
      [256, 256, 88],
    );
    assert.equal(embedding.calls.inputTokens, 0);
    assert.equal(embedding.tokens, 6_000);
  });

  it('of a model in this process leave others their turn in between', async () => {
    let turns = 0;
    const turn = (): unknown => setImmediate(() => (turns += 1));
    const seen: number[] = [];
    const { embedder } = model(
      (texts) => {
        seen.push(turns);
        turn();
        return vectors(texts);
      },
      { hosted: false },
    );
    turn();
    await run(job(embedder), [prepared('a', Array<string>(600).fill('x'))]);
    assert.deepEqual(seen, [0, 2, 3], 'not before the first, and after every 256');
  });

  it('are not asked for where nothing is missing', async () => {
    const { asked, embedder } = model(vectors);
    await run(job(embedder), [prepared('a', [])]);
    assert.equal(asked.length, 0);
  });
});

describe('a text that cannot be embedded', () => {
  const answer = (texts: readonly string[]) => {
    if (texts.includes('bad')) throw failing('PROVIDER_BAD_REQUEST');
    return vectors(texts);
  };

  it('is found by halves and told with its lines; the others have their vectors', async () => {
    const { embedder } = model(answer);
    const document = prepared('a', ['x', 'y', 'bad', 'z']);
    const failures = await run(job(embedder), [document]);
    const [{ message: _message, ...failure }] = failures as [IndexFailure];
    assert.deepEqual(failures.length, 1);
    assert.deepEqual(failure, {
      path: 'a',
      startLine: 2,
      endLine: 2,
      stage: 'embed',
      code: 'PROVIDER_BAD_REQUEST',
    });
    assert.deepEqual(
      document.write.chunks.map(({ vector }) => vector !== undefined),
      [true, true, false, true],
    );
  });

  it('ends the run where nothing may be missing', async () => {
    const { embedder } = model(answer);
    await assert.rejects(run(job(embedder, { tolerant: false }), [prepared('a', ['bad'])]), {
      code: 'PROVIDER_BAD_REQUEST',
    });
  });

  it('is not looked for when the provider is away or refuses everybody', async () => {
    const away = model(() => {
      throw failing('PROVIDER_UNAVAILABLE');
    });
    const embedding = job(away.embedder);
    assert.equal((await run(embedding, [prepared('a', ['x', 'y'])])).length, 2);
    assert.equal((await run(embedding, [prepared('b', ['z'])])).length, 1);
    assert.equal(away.asked.length, 1, 'asked once, never again in this run');
    const refusing = model(() => {
      throw failing('PROVIDER_AUTH');
    });
    await assert.rejects(run(job(refusing.embedder), [prepared('a', ['x'])]), { code: 'PROVIDER_AUTH' });
  });

  it('may be a provider that answers with too few or misshapen vectors', async () => {
    for (const wrong of [() => [], () => [Float32Array.of(1)], () => [Float32Array.of(1, 2, 3)]]) {
      const { embedder } = model(wrong);
      await assert.rejects(run(job(embedder, { tolerant: false }), [prepared('a', ['x'])]), {
        code: 'PROVIDER_BAD_ANSWER',
      });
    }
  });

  it('is not tried once the call is cancelled', async () => {
    const { asked, embedder } = model(vectors);
    const signal = AbortSignal.abort();
    await assert.rejects(run(job(embedder, { signal }), [prepared('a', ['x'])]), { code: 'CANCELLED' });
    assert.equal(asked.length, 0);
  });
});

describe('vectors of the version before', () => {
  const storeWith = (old: object[], kept: Map<string, Float32Array>): Store =>
    ({
      documents: { chunks: () => Promise.resolve(old) },
      search: { vectorsOf: () => Promise.resolve(kept) },
    }) as unknown as Store;
  const { embedder } = model(vectors);

  it('are kept where title, headings and text are the same', async () => {
    const old = [
      { id: '1', title: 'T', headingPath: [], text: 'same' },
      { id: '2', title: 'T', headingPath: ['other'], text: 'moved' },
      { id: '3', title: 'Old', headingPath: [], text: 'retitled' },
      { id: '4', title: 'T', headingPath: [], text: 'short' },
    ];
    const kept = new Map(['1', '2', '3'].map((id) => [id, Float32Array.of(Number(id), 0)]));
    kept.set('4', Float32Array.of(4));
    const document = prepared('a', ['same', 'moved', 'retitled', 'short', 'new']);
    await keepVectors(storeWith(old, kept), document, embedder);
    assert.deepEqual(
      document.write.chunks.map(({ vector }) => vector?.[0]),
      [1, undefined, undefined, undefined, undefined],
    );
  });

  it('are kept for a text of one chunk, and not asked for where there was none', async () => {
    const single = prepared('a', ['same']);
    const old = [{ id: '1', title: 'T', headingPath: [], text: 'same' }];
    await keepVectors(storeWith(old, new Map([['1', Float32Array.of(7, 0)]])), single, embedder);
    assert.equal(single.write.chunks[0]!.vector![0], 7);
    const fresh = prepared('a', ['same']);
    const asked = () => assert.fail('no vectors to ask for');
    const empty = { documents: { chunks: () => Promise.resolve([]) }, search: { vectorsOf: asked } };
    await keepVectors(empty as unknown as Store, fresh, embedder);
    assert.equal(fresh.write.chunks[0]!.vector, undefined);
  });
});

it('there is no embedding without a model, and waiting is told', () => {
  const target = { collection: {} } as unknown as Target;
  const tell = { tolerant: false, tell: () => undefined };
  assert.equal(embeddingFor(target, localCall(), tell), undefined);
  const told: string[] = [];
  const { embedder } = model(vectors);
  const collection = { embedding: { model: 'test', dimensions: 2 } };
  const embedding = embeddingFor({ embedder, collection } as unknown as Target, localCall(), {
    tolerant: false,
    tell: (message) => told.push(message),
  })!;
  embedding.onWait(3);
  assert.deepEqual(told, ['waiting 3 s for test']);
  assert.deepEqual([embedding.stamp, embedding.tolerant, embedding.tokens], ['test 2', false, 0]);
});
