// The admin API over HTTP with a real engine: what each key may do, that nothing else gets through, and that every change
// is written down.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LOCAL } from '../../../src/engine/call.ts';
import { ACTIONS, createAdminApi } from '../../../src/server/admin/admin.ts';
import type { Job, JobRequest } from '../../../src/server/jobs.ts';
import type { Admin } from '../../../src/server/admin/parts.ts';
import { digestOf, idOf } from '../../../src/server/keys/entry.ts';
import { openSpending, spendingFile } from '../../../src/server/limits/spending.ts';
import { signIns } from '../../../src/server/sign-in/sign-ins.ts';
import {
  ADMIN_KEY,
  httpServer,
  KEY,
  KEYS,
  LIMITED_KEY,
  READ_KEY,
  stored,
  type TestServer,
} from '../support/http.ts';
import { realServerParts, type Real } from '../support/real.ts';
import { until } from '../../support/wait.ts';
import { as, JSON_TYPE, send, type Reply } from '../support/send.ts';

const LIMITED_ADMIN = `vai-mcp-key-${'f'.repeat(48)}`;

let real: Real;
let server: TestServer;

before(async () => {
  real = await realServerParts();
  const { engine, toolsets } = real;
  // The server must not close the engine of the test.
  const shared = { ...engine, close: () => Promise.resolve() };
  const owner = stored(LIMITED_ADMIN, { scopes: ['read', 'write', 'admin'], collections: ['public'] });
  server = await httpServer({ engine: shared, toolsets, keys: [...KEYS, owner] });
  for (const name of ['public', 'secret'])
    await real.store(name, 'page.md', `# Herons\n\nHerons of ${name} wade.\n\n## Food\n\nFish.\n\nFrogs.\n`);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await real[Symbol.asyncDispose]();
});

const ask = (key: string, action: string, input: object = {}): Promise<Reply> =>
  send(server, { path: '/admin', headers: as(key), body: { action, ...input } });

const ended = async (key: string, id: string): Promise<{ state: string; result?: never }> => {
  let job: { id: string; state: string } | undefined;
  await until(async () => {
    const { jobs } = (await ask(key, 'jobs')).body as { jobs: { id: string; state: string }[] };
    job = jobs.find((one) => one.id === id);
    return job !== undefined && !['waiting', 'running'].includes(job.state);
  });
  return job!;
};

describe('who may do what', () => {
  it('a session says what its key may do, and nothing more is answered', async () => {
    for (const [key, scopes] of [
      [READ_KEY, ['read']],
      [KEY, ['read', 'write']],
      [ADMIN_KEY, ['read', 'write', 'admin']],
      [LIMITED_ADMIN, ['read', 'write', 'admin']],
    ] as const) {
      const { body } = await ask(key, 'session');
      assert.deepEqual(body.scopes, scopes);
      for (const [name, { scope, whole }] of Object.entries(ACTIONS)) {
        const may = (scopes as readonly string[]).includes(scope) && !(whole && key === LIMITED_ADMIN);
        assert.equal(body.actions.includes(name), may, `${name} for ${scopes.join()}`);
        if (may) continue;
        const input = { collection: 'public', to: 'x', id: '00000000', folder: 'x' };
        const known = Object.keys(ACTIONS[name]!.input.shape);
        const given = Object.fromEntries(Object.entries(input).filter(([field]) => known.includes(field)));
        assert.equal((await ask(key, name, given)).status, 403, name);
      }
    }
  });

  it('on a server that only reads, nobody is offered more', async () => {
    await using readOnly = await httpServer({ engine: real.engine, toolsets: real.toolsets, readOnly: true });
    const reply = await send(readOnly, {
      path: '/admin',
      headers: as(ADMIN_KEY),
      body: { action: 'session' },
    });
    assert.deepEqual([reply.body.scopes, reply.body.readOnly], [['read'], true]);
    assert.ok(!reply.body.actions.some((name: string) => ACTIONS[name]!.scope !== 'read'));
  });

  it('without a key, with a wrong one, or with a cookie from elsewhere nothing is answered', async () => {
    const body = { action: 'session' };
    const from = async (headers: Record<string, string>): Promise<number> =>
      (await send(server, { path: '/admin', headers: { ...JSON_TYPE, ...headers }, body })).status;
    assert.equal(await from({}), 401);
    assert.equal(await from({ Authorization: `Bearer ${'x'.repeat(60)}` }), 401);
    const cookie = `vai-sign-in=${signIns(server.home, Date.now).signIn(idOf(digestOf(ADMIN_KEY)))}`;
    assert.equal(await from({ Cookie: cookie }), 403);
    assert.equal(await from({ Cookie: cookie, Origin: server.url }), 403);
    assert.equal(await from({ Cookie: cookie, Origin: 'https://evil.test', 'X-Vai-Page': '1' }), 403);
    assert.equal(await from({ Cookie: cookie, Origin: server.url, 'X-Vai-Page': '1' }), 200);
    assert.equal((await send(server, { path: '/admin', method: 'GET', headers: as(ADMIN_KEY) })).status, 405);
  });

  it('a key sees its own collections alone', async () => {
    const names = async (key: string): Promise<string[]> =>
      (await ask(key, 'collections')).body.collections.map((one: { name: string }) => one.name).sort();
    assert.deepEqual(await names(LIMITED_KEY), ['public']);
    assert.deepEqual(await names(READ_KEY), ['public', 'secret']);
    for (const action of ['history', 'versions', 'changes'])
      assert.equal((await ask(LIMITED_KEY, action, { collection: 'secret' })).status, 404, action);
    const { body } = await ask(LIMITED_ADMIN, 'delete', { collection: 'secret' });
    // What is asked for is not looked at before its time, so the answer tells nothing.
    assert.equal(body.job.state, 'waiting');
    assert.equal((await ask(LIMITED_ADMIN, 'jobs-cancel', { id: body.job.id })).body.cancelled, true);
  });

  it('an unknown action or unknown field is refused with a message', async () => {
    const cases: [unknown, RegExp][] = [
      [{ action: 'sesion' }, /no such action/],
      [{ action: 'constructor' }, /no such action/],
      [{ action: 'keys-revoke' }, /id/],
      [{ action: 'session', more: 1 }, /more/],
      [[], /names an `action`/],
    ];
    for (const [body, expected] of cases) {
      const reply = await send(server, { path: '/admin', headers: as(ADMIN_KEY), body: body as object });
      assert.equal(reply.status, 400, JSON.stringify(body));
      assert.match(reply.body.error.message, expected);
    }
  });
});

describe('keys', () => {
  it('are made, limited, rotated and revoked, each written down before', async () => {
    const made = (
      await ask(ADMIN_KEY, 'keys-make', { name: 'ci', scopes: ['read', 'write'], collections: ['public'] })
    ).body;
    assert.match(made.key, /^vai-mcp-key-[0-9a-f]{48}$/);
    await until(async () => (await ask(made.key, 'session')).status === 200);
    await ask(ADMIN_KEY, 'keys-limit', { id: made.id, scopes: ['read'], rate: 7, spending: 0.5 });
    await until(async () => (await ask(made.key, 'session')).body.scopes.length === 1);
    const spending = openSpending(spendingFile(server.home), () => new Date());
    await spending.reserve(made.id, 0.25, 1);
    spending.close();
    assert.deepEqual((await ask(made.key, 'limits')).body.key, { rate: 7, spending: 0.5, spentToday: 0.25 });
    const rotated = (await ask(ADMIN_KEY, 'keys-rotate', { id: made.id, grace: '1h' })).body;
    const listed = (await ask(ADMIN_KEY, 'keys')).body;
    const one = listed.keys.find(({ id }: { id: string }) => id === rotated.id);
    assert.deepEqual([one.scopes, one.collections, one.rate, one.spending], [['read'], ['public'], 7, 0.5]);
    assert.equal(listed.keys.find(({ id }: { id: string }) => id === made.id).spentToday, 0.25);
    assert.equal(listed.own, idOf(digestOf(ADMIN_KEY)));
    assert.ok(!JSON.stringify(listed).includes(digestOf(made.key).toString('hex')), 'never the digest');
    for (const id of [made.id, rotated.id])
      assert.equal((await ask(ADMIN_KEY, 'keys-revoke', { id })).body.id, id);
    await until(async () => (await ask(rotated.key, 'session')).status === 401);
    assert.equal((await ask(ADMIN_KEY, 'keys-revoke', { id: made.id })).status, 404);
    const log = (await ask(ADMIN_KEY, 'audit', { event: 'key' })).body.lines;
    assert.deepEqual(
      log.map(({ action }: { action: string }) => action),
      ['revoked', 'revoked', 'rotated', 'limited', 'made'],
    );
    assert.ok(log.every((line: { by: string; hash?: string }) => line.by === listed.own && !line.hash));
    assert.ok(!JSON.stringify(await server.audit()).includes(made.key));
  });
});

describe('collections', () => {
  it('are shown with size, model and age', async () => {
    const { collections } = (await ask(READ_KEY, 'collections')).body;
    const one = collections.find(({ name }: { name: string }) => name === 'secret');
    assert.equal(one.documents, 1);
    assert.ok(one.bytes > 10 && one.model && one.updatedAt);
    assert.deepEqual([one.refreshable, one.problems], [false, []]);
  });

  it('a graph is built and a collection measured while nobody waits, and both leave a line', async () => {
    await real.store('work', 'a.md', '# Gateway\n\nThe Gateway uses Redis.\n\n## Limits\n\nOne.\n\nTwo.\n');
    const { job } = (await ask(KEY, 'graph', { collection: 'work' })).body;
    assert.equal(job.state, 'running');
    const graph = await ended(KEY, job.id);
    assert.equal(graph.state, 'done', JSON.stringify(graph));
    const measured = await ended(KEY, (await ask(KEY, 'evaluate', { collection: 'work' })).body.job.id);
    assert.equal(measured.state, 'done', JSON.stringify(measured));
    assert.ok((measured as { result?: { modes: unknown[] } }).result!.modes.length >= 2);
    const failed = await ended(KEY, (await ask(KEY, 'refresh', { collection: 'nothing' })).body.job.id);
    assert.equal(failed.state, 'failed');
    const jobs = (await ask(READ_KEY, 'jobs')).body.jobs;
    assert.deepEqual(jobs, [], 'others do not see them');
    const lines = (await server.audit()).filter(({ tool }) => tool === 'admin/graph');
    assert.deepEqual(
      lines.map(({ event, ok }) => [event, ok]),
      [
        ['call', undefined],
        ['done', true],
      ],
    );
  });

  it('a deletion waits, can be undone once, and a collection can be renamed', async () => {
    await real.store('passing', 'a.md', '# One\n\nText.\n');
    const { job } = (await ask(ADMIN_KEY, 'delete', { collection: 'passing' })).body;
    assert.equal(job.state, 'waiting');
    assert.ok(Date.parse(job.dueAt) > Date.parse(job.startedAt));
    assert.equal((await ask(ADMIN_KEY, 'jobs-cancel', { id: job.id })).body.cancelled, true);
    assert.equal((await ask(ADMIN_KEY, 'jobs-cancel', { id: job.id })).body.cancelled, false);
    assert.equal((await ended(ADMIN_KEY, job.id)).state, 'cancelled');
    const renamed = await ask(ADMIN_KEY, 'rename', { collection: 'passing', to: 'kept' });
    assert.deepEqual(renamed.body, { collection: 'kept', renamedFrom: 'passing' });
    assert.equal((await ask(ADMIN_KEY, 'rename', { collection: 'kept', to: 'secret' })).status, 409);
    assert.equal((await ask(ADMIN_KEY, 'rename', { collection: 'kept', to: '../x' })).status, 400);
  });

  it('what waited is not begun for a key that was revoked meanwhile', async () => {
    let begun: JobRequest | undefined;
    let valid = true;
    const start = (request: JobRequest): Partial<Job> => ((begun = request), { id: 'one' });
    const admin = createAdminApi(
      { jobs: { start }, isValid: () => valid } as unknown as Admin,
      async () => real.engine,
    );
    await real.store('doomed', 'a.md', '# One\n\nText.\n');
    const principal = { ...LOCAL, id: 'leaked' };
    const key = { id: 'leaked', name: '', scopes: principal.scopes, collections: '*' } as const;
    const caller = {
      ...{ key, principal, signal: new AbortController().signal, audit: { write() {}, note() {} } },
      auditCall: () => () => undefined,
    };
    await admin({ action: 'delete', collection: 'doomed' }, caller);
    valid = false;
    await assert.rejects(begun!.run({ principal }), { code: 'NOT_ALLOWED', message: /revoked/ });
    valid = true;
    await begun!.run({ principal });
    await assert.rejects(begun!.run({ principal }), { code: 'COLLECTION_NOT_FOUND' });
  });
});
