// The three servers with every flag, and the effect each flag has; and every route of the HTTP server.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { testIssuer } from '../../server/support/issuer.ts';
import { send } from '../../server/support/send.ts';
import { freePort } from '../../support/port.ts';
import { until } from '../../support/wait.ts';
import { NODE, script, type CommandName } from '../../support/package.ts';
import { newKey, served } from '../../support/served.ts';
import type { World } from './world.ts';

/** Run by reference.test.ts, which counts what `line` uses once `check` has passed. */
export interface ServerCase {
  line: string;
  check: (world: World, words: readonly string[]) => Promise<void>;
}

interface ServerKind {
  command: string;
  /** Beside what every server is started with. */
  more?: string;
  toolset: string;
  /** A tool that reads, and one that `--read-only` takes away. */
  reads: string;
  writes: string;
}

const KINDS: ServerKind[] = [
  { command: 'vai mcp-server', toolset: 'vai', reads: 'vai_collections', writes: 'vai_ingest' },
  { command: 'blz mcp', toolset: 'blz', reads: 'learn-blz', writes: 'source-add' },
  {
    command: 'flowrag-mcp',
    more: '--config flowrag.config.json --data other --docs docs',
    toolset: 'flowrag',
    reads: 'flowrag_stats',
    writes: 'flowrag_index',
  },
];

interface Listed {
  result: { tools: { name: string }[] };
}

async function rpc(url: string, key: string, method: string, params: object = {}): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

const overHttp = ({ command, more = '', toolset, reads, writes }: ServerKind): ServerCase => ({
  line:
    `${command} ${more} --transport http --port 0 --host 127.0.0.1 --toolsets ${toolset} --read-only --channels text ` +
    '--allow-db vai,team --allowed-host vai.test --allowed-origin https://app.test --trusted-proxy 127.0.0.1 ' +
    '--rate-limit 40 --workers 2 --audit-reads --verbose',
  async check({ box }, [name, ...args]) {
    await using server = await served({ box, command: name as CommandName, args });
    assert.match(server.stderr(), /"workers":2/);
    const listed = (await (await rpc(server.url, server.key, 'tools/list')).json()) as Listed;
    const names = listed.result.tools.map((tool) => tool.name);
    assert.ok(names.includes(reads) && !names.includes(writes), names.join());
    const call = await rpc(server.url, server.key, 'tools/call', { name: reads, arguments: {} });
    const { result } = (await call.json()) as { result: { content: unknown[]; structuredContent?: object } };
    assert.equal(result.content.length, 1);
    assert.equal(result.structuredContent, undefined, '--channels text');
    assert.match(
      readFileSync(join(box.home, 'logs/mcp-audit.log'), 'utf8'),
      new RegExp(reads),
      '--audit-reads',
    );

    const from = (headers: Record<string, string>) =>
      send(server, { method: 'GET', path: '/health', headers });
    assert.equal((await from({ Host: 'vai.test' })).status, 200);
    assert.equal((await from({ Origin: 'https://app.test' })).status, 200);
    assert.equal((await from({ Origin: 'https://other.test' })).status, 403);
    await from({ 'X-Forwarded-For': '203.0.113.7' });
    await until(async () => server.stderr().includes('203.0.113.7'));
    assert.match(server.stderr(), /"level":20/, '--verbose');
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await rpc(server.url, server.key, 'ping')).status),
    );
    assert.ok(statuses.includes(429), '--rate-limit');
    assert.equal(await server.stop(), 0);
  },
});

const overTls = ({ command }: ServerKind): ServerCase => ({
  line: `${command} --transport http --port 0 --tls-cert tls.pem --tls-key tls.key`,
  async check({ box }, [name, ...args]) {
    const ask =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=vai ' +
      '-addext subjectAltName=IP:127.0.0.1 -keyout tls.key -out tls.pem';
    const made = spawnSync('openssl', ask.split(' '), { cwd: box.folder });
    if (made.status !== 0)
      return console.error('NOTICE: openssl is missing, so TLS was not tried on the package.');
    await using server = await served({ box, command: name as CommandName, args });
    const ca = readFileSync(join(box.folder, 'tls.pem'));
    const status = await new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: server.port, path: '/health', agent: false, ca }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject);
    });
    assert.equal(status, 200);
  },
});

const RESOURCE = 'https://vai.test/mcp';

const oauthFile = (issuer: string): string =>
  JSON.stringify({
    issuer,
    resource: RESOURCE,
    access: [{ scopes: ['read'], collections: '*' }],
    clientId: 'page',
  });

const withTokens = ({ command, reads, writes }: ServerKind): ServerCase => ({
  line: `${command} --transport http --port 0 --oauth oauth.json`,
  async check({ box, write }, [name, ...args]) {
    await using issuer = await testIssuer();
    write('oauth.json', oauthFile(issuer.url));
    await using server = await served({ box, command: name as CommandName, args });
    const token = await issuer.serviceToken(RESOURCE);
    const listed = (await (await rpc(server.url, token, 'tools/list')).json()) as Listed;
    const names = listed.result.tools.map((tool) => tool.name);
    assert.ok(names.includes(reads) && !names.includes(writes), names.join());
    const other = await issuer.serviceToken('https://other.test/mcp');
    assert.equal((await rpc(server.url, other, 'tools/list')).status, 401);
  },
});

/** Over stdio: the defaults of calls that name none. */
const overStdio = ({ command, toolset }: ServerKind): ServerCase => ({
  line: `${command} --transport stdio --db team --collection notes`,
  async check(world, words) {
    await world.run(['vai', 'ingest', '-', '--db', 'team', '-c', 'notes', '--source', 'pin'], {
      input: 'The PIN is 4921.',
    });
    const answers: Record<string, [string, object, RegExp]> = {
      vai: ['vai_query', { query: 'PIN' }, /"database":"team","collection":"notes"/],
      blz: ['find', { query: 'PIN' }, /"alias":"notes\/pin"/],
      flowrag: ['flowrag_stats', {}, /"chunks":\d/],
    };
    const [tool, values, expected] = answers[toolset]!;
    await withClient(world, words, async (client) => {
      const answer = await client.callTool({ name: tool, arguments: values as Record<string, unknown> });
      assert.match(JSON.stringify(answer.structuredContent), expected);
    });
  },
});

const inBackground = ({ command }: ServerKind): ServerCase => ({
  line: `${command} --transport http --port PORT --daemon`,
  async check(world, words) {
    const port = await freePort();
    const started = await world.run(words.map((word) => (word === 'PORT' ? String(port) : word)));
    assert.equal(started.status, 0, started.stderr);
    assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200);
    world.kept['port'] = String(port);
  },
});

/** Commands about a server in the background, which the case before has started. */
const aboutIt = ({ command }: ServerKind): ServerCase[] => [
  {
    line: `${command} status --json`,
    async check(world, words) {
      assert.match((await world.run(words)).stdout, new RegExp(`"port": ${world.kept['port']}`));
    },
  },
  {
    line: `${command} stop --port PORT`,
    async check(world, words) {
      const { kept } = world;
      const stopped = await world.run(words.map((word) => (word === 'PORT' ? kept['port']! : word)));
      assert.match(stopped.stdout, new RegExp(`Stopped the server on port ${kept['port']}`));
    },
  },
];

const signingIn: ServerCase = {
  line: 'vai mcp-server --transport http --port 0 --open',
  async check({ box }, [name, ...args]) {
    await using server = await served({ box, command: name as CommandName, args });
    let link: RegExpExecArray | null = null;
    await until(async () => (link = /(http:\S+)\/#\/sign-in\?code=(\S+)/.exec(server.stderr())) !== null);
    assert.equal(link![1], server.url);
    const exchange = () =>
      fetch(`${server.url}/sign-in`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: server.url, 'X-Vai-Page': '1' },
        body: JSON.stringify({ code: link![2] }),
      });
    const first = await exchange();
    assert.match(first.headers.get('set-cookie') ?? '', /HttpOnly/);
    assert.equal((await exchange()).ok, false, 'it works once');
  },
};

const watching: ServerCase = {
  line: 'flowrag-mcp --data watched --docs docs --watch',
  async check(world, words) {
    await withClient(world, words, async (client) => {
      const chunks = async (): Promise<number> =>
        Number(
          (
            (await client.callTool({ name: 'flowrag_stats', arguments: {} })).structuredContent as {
              documents: number;
            }
          ).documents,
        );
      await until(async () => (await chunks()) === 4);
      world.write('docs/late.md', '# Late\n\nLate words.\n');
      await until(async () => (await chunks()) === 5);
    });
    assert.ok(existsSync(join(world.box.folder, 'watched/flowrag.db')));
  },
};

const watchingProject: ServerCase = {
  line: 'vai watch --yes --json',
  async check({ box, write }, [name, ...args]) {
    write('pond/.vai.json', '{ "collection": "pond", "folders": ["docs"] }');
    write('pond/docs/heron.md', '# Heron\n\nIt wades.\n');
    const watcher = spawn(NODE, [script(name as CommandName), ...args], {
      cwd: join(box.folder, 'pond'),
      env: { PATH: process.env['PATH'], HOME: box.folder, VAI_HOME: box.home },
    });
    let told = '';
    watcher.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
    const ended = new Promise<number | null>((resolve) => void watcher.on('close', resolve));
    try {
      await until(async () => told.includes('1 added, 0 changed'));
      write('pond/docs/egret.md', '# Egret\n\nIt is white.\n');
      await until(async () => /1 added, 0 changed, 1 unchanged/.test(told));
      // Every other process sees what it writes.
      const found = await box.run('vai', ['search', 'white egret', '-c', 'pond', '--json']);
      assert.match(found.stdout, /pond\/docs\/egret\.md/);
    } finally {
      watcher.kill('SIGTERM');
      await ended;
    }
  },
};

export const SERVERS: ServerCase[] = [
  watchingProject,
  ...KINDS.flatMap((kind) => [
    overHttp(kind),
    overTls(kind),
    withTokens(kind),
    overStdio(kind),
    inBackground(kind),
    ...aboutIt(kind),
  ]),
  watching,
  signingIn,
];

const fromPage = (url: string): Record<string, string> => ({ Origin: url, 'X-Vai-Page': '1' });

/** An issuer on this machine that does not answer. */
const AWAY = 'http://127.0.0.1:9';

async function describesItself(url: string, path: string): Promise<void> {
  const reply = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
  const { resource, authorization_servers: servers } = (await reply.json()) as Record<string, unknown>;
  assert.deepEqual([resource, servers], [RESOURCE, [AWAY]]);
}

/** Routes as the reference lists them. */
export const ROUTES: Record<string, (url: string, key: string) => Promise<void>> = {
  'POST /mcp': async (url, key) => {
    const listed = (await (await rpc(url, key, 'tools/list')).json()) as Listed;
    assert.ok(listed.result.tools.length >= 22);
  },
  'OPTIONS /mcp': async (url) => {
    const headers = { Origin: 'https://app.test', 'Access-Control-Request-Method': 'POST' };
    const reply = await fetch(`${url}/mcp`, { method: 'OPTIONS', headers });
    assert.equal(reply.status, 204);
    assert.equal(reply.headers.get('access-control-allow-origin'), 'https://app.test');
  },
  'POST /admin': async (url, key) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
    const ask = async (action: string): Promise<Record<string, unknown>> => {
      const reply = await fetch(`${url}/admin`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ action }),
      });
      assert.equal(reply.status, 200, action);
      return (await reply.json()) as Record<string, unknown>;
    };
    const { actions } = (await ask('session')) as { actions: string[] };
    assert.ok(actions.includes('collections'));
    for (const action of ['collections', 'jobs', 'limits']) assert.ok(await ask(action));
  },
  'GET /health': async (url) => {
    assert.equal(((await (await fetch(`${url}/health?strict=1`)).json()) as { status: string }).status, 'ok');
  },
  'HEAD /health': async (url) => {
    const reply = await fetch(`${url}/health`, { method: 'HEAD' });
    assert.deepEqual([reply.status, await reply.text()], [200, '']);
  },
  'GET /metrics': async (url, key) => {
    const reply = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${key}` } });
    assert.match(await reply.text(), /^vai_tool_calls_total|^# HELP vai_http_requests_total/m);
  },
  'POST /sign-in': async (url, key) => {
    const headers = { ...fromPage(url), 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
    const reply = await fetch(`${url}/sign-in`, { method: 'POST', headers, body: '{}' });
    assert.match(
      reply.headers.get('set-cookie') ?? '',
      /^vai-sign-in=[\w-]{43}; .*HttpOnly; SameSite=Strict/,
    );
  },
  'DELETE /sign-in': async (url) => {
    const reply = await fetch(`${url}/sign-in`, { method: 'DELETE', headers: fromPage(url) });
    assert.deepEqual(await reply.json(), { signedIn: false });
  },
  'GET /sign-in': async (url) => {
    assert.deepEqual(await (await fetch(`${url}/sign-in`)).json(), { issuer: AWAY });
  },
  'GET /sign-in/issuer': async (url) => {
    const reply = await fetch(`${url}/sign-in/issuer`, { redirect: 'manual' });
    assert.equal(reply.headers.get('location'), '/#/sign-in-failed');
  },
  'GET /sign-in/return': async (url) => {
    const reply = await fetch(`${url}/sign-in/return?code=x&state=y`, { redirect: 'manual' });
    assert.equal(reply.headers.get('location'), '/#/sign-in-failed');
  },
  'GET /.well-known/oauth-protected-resource': (url) => describesItself(url, ''),
  'GET /.well-known/oauth-protected-resource/mcp': (url) => describesItself(url, '/mcp'),
  'GET /': async (url) => {
    const reply = await fetch(`${url}/`);
    assert.match(reply.headers.get('content-type') ?? '', /text\/html/);
    const main = /src="([^"]+\.js)"/.exec(await reply.text())![1]!;
    assert.equal((await fetch(new URL(main, `${url}/`))).status, 200, 'its script is there');
  },
  'HEAD /': async (url) => {
    const reply = await fetch(`${url}/`, { method: 'HEAD' });
    assert.deepEqual([reply.status, await reply.text()], [200, '']);
  },
};

export async function withClient(
  { box }: World,
  [command, ...args]: readonly string[],
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: 'reference', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: NODE,
      args: [script(command as CommandName), ...args],
      env: {
        PATH: process.env['PATH']!,
        HOME: box.folder,
        VAI_HOME: box.home,
        BLZ_ALLOW_PRIVATE: '1',
        VAI_EXTRA_TOOLS: '1',
      },
      cwd: box.folder,
      stderr: 'ignore',
    }),
  );
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

/** A server for the routes, with a key that may do everything. */
export async function forRoutes(
  { box, write }: World,
  work: (url: string, key: string) => Promise<void>,
): Promise<void> {
  const key = await newKey(box, 'read,write,admin');
  write('oauth.json', oauthFile(AWAY));
  const args = ['mcp-server', '--allowed-origin', 'https://app.test', '--oauth', 'oauth.json'];
  await using server = await served({ box, args });
  await work(server.url, key);
}
