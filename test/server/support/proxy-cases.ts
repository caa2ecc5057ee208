// What every proxy example must give: TLS, streaming, large bodies, the client's address, metrics kept inside.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { KEY, type TestServer } from './http.ts';
import { askProxy, type Answered, type Asked } from './proxy.ts';
import { until } from '../../support/wait.ts';
import { as, call, rpc } from './send.ts';

/** Asked for when a case runs: proxy and server start before the first one. */
export function proxyCases(running: () => { port: number; server: TestServer }): void {
  const ask = (asked: Asked): Promise<Answered> => askProxy(running().port, asked);

  it('ends TLS and passes calls on', async () => {
    const reply = await ask({ body: call('echo', { text: 'through the proxy' }) });
    assert.equal(reply.status, 200);
    assert.match(reply.protocol!, /^TLSv1\.[23]$/);
    assert.match(reply.text, /through the proxy/);
    const anonymous = await ask({ headers: { 'Content-Type': 'application/json' }, body: rpc('ping') });
    assert.equal(anonymous.status, 401);
  });

  it('lets progress through as it happens', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'slow', arguments: { steps: 4, ms: 250 }, _meta: { progressToken: 'p' } },
    };
    const { status, text, chunks } = await ask({ body });
    assert.equal(status, 200);
    assert.ok((text.match(/notifications\/progress/g) ?? []).length >= 2, text);
    assert.doesNotMatch(chunks[0]!, /4 steps/, 'the first event came by itself');
  });

  it('takes large bodies and refuses too large ones with our own message', async () => {
    const large = await ask({ body: call('echo', { text: 'x'.repeat(9_000_000) }) });
    assert.equal(large.status, 200);
    assert.match(large.text, /INVALID_INPUT/);
    const tooLarge = await answeredEarly(() => ask({ body: call('echo', { text: 'x'.repeat(10_600_000) }) }));
    assert.equal(tooLarge.status, 413);
    assert.match(tooLarge.text, /at most 10485760 bytes/);
  });

  it('passes on the client’s address, and nobody can claim another', async () => {
    const { lines } = running().server;
    lines.length = 0;
    await ask({
      from: '127.0.0.5',
      headers: { ...as(KEY), 'X-Forwarded-For': '9.9.9.9' },
      body: rpc('ping'),
    });
    await until(async () => lines.some((line) => line['rpc'] === 'ping'));
    assert.equal(lines.find((line) => line['rpc'] === 'ping')!['address'], '127.0.0.5');
  });

  it('keeps metrics inside', async () => {
    assert.equal((await ask({ method: 'GET', path: '/metrics' })).status, 404);
  });
}

/**
 * A proxy may answer and close while the body is still on its way. Then the client is as likely to meet the end of the
 * connection as the answer, so it is asked again.
 */
async function answeredEarly(ask: () => Promise<Answered>, times = 20): Promise<Answered> {
  try {
    return await ask();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (times === 0 || !['ECONNRESET', 'EPIPE'].includes(code)) throw error;
    return answeredEarly(ask, times - 1);
  }
}
