// Bodies from a stream that a test feeds byte by byte: no socket, no server.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, it, mock } from 'node:test';
import { declaredTooLarge, parseBody, readBody, tooLarge } from '../../../../src/server/http/guards/body.ts';
import type { Verdict } from '../../../../src/server/http/guards/verdict.ts';

const MEGABYTES_10 = 10 * 1024 * 1024;

function sending(limit?: number): { body: PassThrough; verdict: Promise<Verdict<{ text: string }>> } {
  const body = new PassThrough();
  return { body, verdict: readBody(body as unknown as IncomingMessage, limit) };
}

const refusal = (verdict: Verdict<{ text: string }>): [number, string] => {
  assert.ok(!verdict.ok);
  return [verdict.status, verdict.reason];
};

describe('a body', () => {
  it('comes in pieces and is put together', async () => {
    const { body, verdict } = sending();
    const bytes = Buffer.from('{"a":"é日"}');
    for (const byte of bytes) body.write(Buffer.of(byte));
    body.end();
    assert.deepEqual(await verdict, { ok: true, text: '{"a":"é日"}' });
  });

  it('in one piece, and an empty one', async () => {
    for (const text of ['{}', '']) {
      const { body, verdict } = sending();
      body.end(text);
      assert.deepEqual(await verdict, { ok: true, text });
    }
  });

  it('may be as large as the limit and not larger', async () => {
    const fits = sending(8);
    fits.body.write('1234');
    fits.body.end('5678');
    assert.deepEqual(await fits.verdict, { ok: true, text: '12345678' });
    const over = sending(8);
    over.body.write('12345');
    over.body.write('6789');
    assert.deepEqual(refusal(await over.verdict), [413, 'body size']);
    assert.equal(over.body.listenerCount('data'), 0, 'the rest is not kept');
  });

  it('that ends early is refused', async () => {
    const gone = sending();
    gone.body.write('{');
    gone.body.destroy();
    assert.deepEqual(refusal(await gone.verdict), [400, 'aborted']);
    const broken = new PassThrough({ emitClose: false });
    const verdict = readBody(broken as unknown as IncomingMessage);
    broken.destroy(new Error('reset'));
    assert.deepEqual(refusal(await verdict), [400, 'aborted']);
  });

  it('that takes longer than half a minute is refused', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const slow = sending();
      let done = false;
      void slow.verdict.then(() => (done = true));
      slow.body.write('{');
      mock.timers.tick(29_999);
      await Promise.resolve();
      assert.equal(done, false);
      mock.timers.tick(1);
      assert.deepEqual(refusal(await slow.verdict), [408, 'slow body']);
    } finally {
      mock.timers.reset();
    }
  });

  it('is refused by its announced length', () => {
    assert.equal(declaredTooLarge(undefined), false);
    assert.equal(declaredTooLarge(String(MEGABYTES_10)), false);
    assert.equal(declaredTooLarge(String(MEGABYTES_10 + 1)), true);
    assert.equal(declaredTooLarge('9', 8), true);
    assert.equal(tooLarge().message, `The body may have at most ${MEGABYTES_10} bytes.`);
  });

  it('is JSON that neither nests deeply nor holds too many values', () => {
    assert.deepEqual(parseBody('{"a":[1]}'), { ok: true, value: { a: [1] } });
    const reasonOf = (text: string) => {
      const verdict = parseBody(text);
      return verdict.ok ? 'ok' : [verdict.status, verdict.reason];
    };
    assert.deepEqual(reasonOf('{'), [400, 'parse']);
    assert.equal(reasonOf(`${'['.repeat(64)}${']'.repeat(64)}`), 'ok');
    assert.deepEqual(reasonOf(`${'['.repeat(65)}${']'.repeat(65)}`), [400, 'shape']);
  });
});
