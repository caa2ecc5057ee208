// Calls that run as tasks, with the official client and its tasks extension: both transports, restarts, other callers.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { TaskEnabledSession, ToolExecution } from '@modelcontextprotocol/ext-tasks/client';
import { allTools } from '../support/all-tools.ts';
import { until } from '../support/wait.ts';
import { ADMIN_KEY, httpServer, KEY, READ_KEY, type TestServer } from './support/http.ts';
import { taskSession } from './support/task-session.ts';
import { tempFolder } from '../support/temp-folder.ts';

const VAI = fileURLToPath(new URL('../../src/cli/bin/vai.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('./support/stdio-main.ts', import.meta.url));
/** On a busy machine a server may be slow to start; one that is taken for an old one has no tasks. */
const versionNegotiation = { mode: 'auto' as const, probe: { timeoutMs: 600_000 } };
const newClient = (): Client => new Client({ name: 'test', version: '1' }, { versionNegotiation });

const http = (server: TestServer, key: string): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });

const overHttp = (server: TestServer, key: string): Promise<TaskEnabledSession> =>
  taskSession(newClient(), http(server, key));

type Begun = Extract<ToolExecution<unknown>, { kind: 'task' }>;

/** Longer than anybody waits, or as long as it takes to become a task. */
async function begin(session: TaskEnabledSession, steps = 10_000): Promise<Begun> {
  const execution = await session.callTool('slow', { steps, ms: steps > 100 ? 1000 : 1 });
  assert.equal(execution.kind, 'task');
  return execution;
}

const statusOf = async (session: TaskEnabledSession, { handle }: Begun): Promise<string> =>
  (await session.task(handle.taskId).snapshot()).status;

const home = tempFolder('tasks');

const stdio = (): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [MAIN],
    env: { ...process.env, TASK_HOME: home },
    stderr: 'pipe',
  });

async function walk(session: TaskEnabledSession): Promise<void> {
  const short = await session.callTool('slow', { steps: 2, ms: 1 });
  assert.equal(short.kind, 'immediate');
  assert.equal((await session.callTool('slow', { steps: 'many' })).kind, 'immediate');

  const finished = await begin(session, 30);
  const { outcome } = await finished.settle();
  assert.equal(outcome.status, 'completed');
  assert.deepEqual((outcome.result as { structuredContent: object }).structuredContent, { steps: 30 });

  const running = await begin(session);
  let message: string | undefined;
  await until(async () => {
    message = (await session.task(running.handle.taskId).snapshot()).statusMessage;
    return message !== undefined;
  });
  assert.match(message!, /^\d+ of 10000: step \d+$/);
  await running.cancel();
  await until(async () => (await statusOf(session, running)) === 'cancelled');
  await session.cancelTask(running.handle.taskId);
  assert.equal(await statusOf(session, running), 'cancelled');
}

describe('a call that runs as a task', () => {
  it('is started, followed, cancelled and answered over HTTP', async () => {
    await using server = await httpServer();
    const session = await overHttp(server, KEY);
    await walk(session);
    await until(() => server.engine.aborted === 1);
    await session.close();
  });

  it('is started, followed, cancelled and answered over stdio', async () => {
    const transport = stdio();
    const session = await taskSession(newClient(), transport);
    await walk(session);
    await session.close();
    await transport.close();
  });

  it('is its caller’s alone: another key, even an admin’s, neither sees nor cancels it', async () => {
    await using server = await httpServer();
    const owner = await overHttp(server, KEY);
    const running = await begin(owner);
    const { taskId } = running.handle;
    for (const key of [READ_KEY, ADMIN_KEY]) {
      const other = await overHttp(server, key);
      await assert.rejects(other.task(taskId).snapshot(), /There is no such task/);
      await assert.rejects(other.cancelTask(taskId), /There is no such task/);
      await other.close();
    }
    assert.equal(await statusOf(owner, running), 'working');
    // The same caller, from somewhere else, may.
    const again = await overHttp(server, KEY);
    await again.cancelTask(taskId);
    await until(async () => (await statusOf(owner, running)) === 'cancelled');
    await Promise.all([owner.close(), again.close()]);
  });

  it('goes on when its client leaves, and leaves nothing readable by others behind', async () => {
    await using server = await httpServer();
    const transport = http(server, KEY);
    const { taskId } = (await begin(await taskSession(newClient(), transport), 40)).handle;
    // Not the session: closing it would cancel the task.
    await transport.close();
    const later = await overHttp(server, KEY);
    const outcome = await later.task(taskId).result();
    assert.equal(outcome.status, 'completed');
    await later.close();
    const audited = (await server.audit()).filter(({ event }) => event === 'call');
    assert.deepEqual(audited, [], 'a read is not audited unless asked for');
    const files = await readdir(join(server.home, 'jobs'));
    assert.deepEqual(files.sort(), [`${taskId}.answer`, `${taskId}.json`]);
  });

  it('is answered as any other for a client that does not say that it knows tasks', async () => {
    await using server = await httpServer();
    const client = newClient();
    await client.connect(http(server, KEY));
    const result = await client.callTool({ name: 'slow', arguments: { steps: 30, ms: 1 } });
    assert.deepEqual(result.structuredContent, { steps: 30 });
    await client.close();
  });
});

describe('a server that is killed and started again', () => {
  it('says that what it was doing was interrupted, and still has what it had finished', async () => {
    const transport = stdio();
    const session = await taskSession(newClient(), transport);
    const finished = await begin(session, 30);
    assert.equal((await finished.settle()).outcome.status, 'completed');
    const running = await begin(session);
    const left = new Promise<void>((resolve) => (transport.onclose = resolve));
    process.kill(transport.pid!, 'SIGKILL');
    await left;
    const state = JSON.parse(await readFile(join(home, 'jobs', `${running.handle.taskId}.json`), 'utf8'));
    assert.equal(state.state, 'running');

    const restarted = stdio();
    const again = await taskSession(newClient(), restarted);
    const lost = await again.task(running.handle.taskId).snapshot();
    assert.equal(lost.status, 'failed');
    assert.match(lost.statusMessage!, /^Interrupted: the server stopped before the work was done/);
    const kept = await again.task(finished.handle.taskId).result();
    assert.equal(kept.status, 'completed');
    await again.close();
    await restarted.close();
  });

  it('stopped in good order it says the same', async () => {
    const transport = stdio();
    const session = await taskSession(newClient(), transport);
    const running = await begin(session);
    await transport.close();
    const restarted = stdio();
    const again = await taskSession(newClient(), restarted);
    await until(async () => (await statusOf(again, running)) === 'failed');
    await again.close();
    await restarted.close();
  });
});

describe('the tools that may take long', () => {
  it('are these', async () => {
    const { tools } = (await allTools(home)).surface;
    const calls: Record<string, object> = {
      'source-add': { alias: 'react' },
      flowrag_index: {},
      vai_ingest: { text: 'x'.repeat(100_001) },
    };
    const long = tools.filter((tool) => tool.isLong({ ...calls[tool.definition.name] }));
    assert.deepEqual(long.map(({ definition }) => definition.name).sort(), Object.keys(calls).sort());
    const ingest = tools.find(({ definition }) => definition.name === 'vai_ingest')!;
    assert.equal(ingest.isLong({ text: 'a note' }), false);
  });

  it('run as tasks with the real program', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [VAI, 'mcp-server'],
      env: { ...process.env, VAI_HOME: home },
      cwd: home,
      stderr: 'pipe',
    });
    const session = await taskSession(newClient(), transport);
    const text = 'The gateway retries a failed payment twice.\n\n'.repeat(2_500);
    const execution = await session.callTool('vai_ingest', { text, source: 'long.md' });
    assert.equal(execution.kind, 'task');
    const { outcome } = await execution.settle();
    assert.equal(outcome.status, 'completed');
    const { structuredContent } = outcome.result as unknown as {
      structuredContent: { chunksCreated: number };
    };
    assert.ok(structuredContent.chunksCreated > 0);
    await session.close();
    await transport.close();
  });
});
