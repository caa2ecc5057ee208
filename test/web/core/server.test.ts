// The page's side of the protocol, against a fetch that plays the server.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { connect, ServerError } from '../../../src/web/core/server.ts';

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

function play(answer: (body: { id: number; params: Record<string, unknown> }) => Response): Request[] {
  const seen: Request[] = [];
  globalThis.fetch = async (input, init) => {
    seen.push(new Request(new URL(input as string, 'http://page.test'), init));
    return answer(JSON.parse(init!.body as string) as { id: number; params: Record<string, unknown> });
  };
  return seen;
}

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

test('a call carries the key as a header and gives the structured content', async () => {
  const seen = play(({ id }) => json({ jsonrpc: '2.0', id, result: { structuredContent: { hits: 3 } } }));
  assert.deepEqual(await connect({ key: 'secret' }).call('find', { query: 'x' }), { hits: 3 });
  assert.equal(seen[0]!.headers.get('authorization'), 'Bearer secret');
  assert.equal(new URL(seen[0]!.url).pathname, '/mcp');
});

test('progress is passed on, and only that of its own call', async () => {
  play(({ id, params }) => {
    const token = (params['_meta'] as { progressToken: string }).progressToken;
    const events = [
      { method: 'notifications/progress', params: { progressToken: 'other', progress: 9 } },
      { method: 'notifications/progress', params: { progressToken: token, progress: 1, total: 2 } },
      { jsonrpc: '2.0', id, result: { structuredContent: { done: true } } },
    ];
    const text = events.map((event) => `event: message\ndata: ${JSON.stringify(event)}\n\n`).join('');
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  });
  const heard: number[] = [];
  const server = connect({ key: 'k' });
  const done = await server.call('source-add', {}, { onProgress: ({ progress }) => heard.push(progress) });
  assert.deepEqual(done, { done: true });
  assert.deepEqual(heard, [1]);
});

test('every kind of refusal becomes one error with words and a hint', async () => {
  const server = connect({ key: 'k' });
  const failing = async (response: Response | Error): Promise<ServerError> => {
    play(() => {
      if (response instanceof Error) throw response;
      return response;
    });
    const error: unknown = await server.call('find', {}).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ServerError);
    return error;
  };
  const refused = await failing(
    json({ error: { code: -32600, message: 'No.', data: { hint: 'Ask.' } } }, 401),
  );
  assert.deepEqual([refused.message, refused.hint], ['No.', 'Ask.']);
  const text = JSON.stringify({
    error: { code: 'NOT_FOUND', message: 'Gone.', hint: 'Look.', suggestions: ['a'] },
  });
  const tool = await failing(json({ id: 1, result: { isError: true, content: [{ type: 'text', text }] } }));
  assert.deepEqual([tool.message, tool.suggestions], ['Gone.', ['a']]);
  assert.match((await failing(new TypeError('fetch failed'))).message, /does not answer/);
  assert.match((await failing(new Response('<html>', { status: 502 }))).message, /status 502/);
});

test('an action of the admin API is asked for by name, with the cookie of a signed-in browser', async () => {
  const seen = play(() => json({ keys: [] }));
  assert.deepEqual(await connect({}).admin('keys', { more: 1 }), { keys: [] });
  assert.equal(new URL(seen[0]!.url).pathname, '/admin');
  assert.equal(seen[0]!.headers.get('x-vai-page'), '1');
  assert.deepEqual(await seen[0]!.json(), { action: 'keys', more: 1 });
  play(() => json({ error: { code: -32600, message: 'No.', data: { hint: 'Ask.' } } }, 401));
  const told: ServerError[] = [];
  await assert.rejects(connect({ onRefused: (error) => told.push(error) }).admin('keys'), /No\./);
  assert.deepEqual(
    told.map(({ hint }) => hint),
    ['Ask.'],
  );
});
