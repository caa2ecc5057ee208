// nginx as deploy/nginx/vai.conf sets it up, for real: TLS, streaming, large bodies, the client's address, its limit.
// Only names, ports and the certificate of the example are replaced.

import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { httpServer, KEY, type TestServer } from '../support/http.ts';
import { as, call, rpc, within } from '../support/send.ts';

const CONFIG = new URL('../../../deploy/nginx/vai.conf', import.meta.url);
const missing = ['nginx', 'openssl'].filter((name) => spawnSync(name, ['-v']).error);
if (missing.length)
  console.error(`SKIPPED: the nginx tests need ${missing.join(' and ')} (apt-get install nginx openssl)`);

describe(
  'nginx in front',
  { skip: missing.length ? `${missing.join(' and ')} not installed` : false },
  () => {
    let folder: string;
    let server: TestServer;
    let nginx: ChildProcess;
    let port: number;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vai-nginx-'));
      server = await httpServer({ allowedHosts: ['vai.example.com'], trustedProxies: ['loopback'] });
      port = await freePort();
      await mkdir(join(folder, 'logs'));
      spawnSync('openssl', [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=vai.example.com'],
        ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
      ]);
      const site = (await readFile(CONFIG, 'utf8'))
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace('/etc/ssl/vai/fullchain.pem', join(folder, 'cert.pem'))
        .replace('/etc/ssl/vai/privkey.pem', join(folder, 'key.pem'))
        .replace('server 127.0.0.1:3100;', `server ${new URL(server.url).host};`);
      await writeFile(join(folder, 'vai.conf'), site);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      await writeFile(
        join(folder, 'nginx.conf'),
        `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/logs/error.log;\n${process.getuid?.() === 0 ? 'user root;' : ''}\n` +
          `events { worker_connections 256; }\nhttp { access_log off; ${paths.join(' ')} include ${folder}/vai.conf; }\n`,
      );
      nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      nginx.stderr!.on('data', (chunk) => (said += String(chunk)));
      await within(10_000, async () => {
        if (nginx.exitCode !== null) throw new Error(said);
        return (await ask({ path: '/health', method: 'GET' }).catch(() => undefined))?.status === 200;
      });
    });

    after(async () => {
      nginx?.kill('SIGTERM');
      if (nginx) await once(nginx, 'exit');
      await server?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    interface Asked {
      method?: string;
      path?: string;
      headers?: Record<string, string>;
      body?: string | object;
      from?: string;
    }
    interface Answered {
      status: number;
      text: string;
      chunks: { at: number; text: string }[];
      protocol: string | null;
    }

    function ask({
      method = 'POST',
      path = '/mcp',
      headers = as(KEY),
      body,
      from,
    }: Asked): Promise<Answered> {
      return new Promise((resolve, reject) => {
        const sent = request(
          {
            host: '127.0.0.1',
            port,
            method,
            path,
            headers: { Host: 'vai.example.com', ...headers },
            servername: 'vai.example.com',
            rejectUnauthorized: false,
            agent: false,
            ...(from ? { localAddress: from } : {}),
          },
          (response) => {
            const chunks: Answered['chunks'] = [];
            const protocol = (response.socket as unknown as { getProtocol(): string | null }).getProtocol();
            response
              .setEncoding('utf8')
              .on('data', (text: string) => chunks.push({ at: performance.now(), text }));
            response.on('end', () =>
              resolve({
                status: response.statusCode!,
                text: chunks.map((one) => one.text).join(''),
                chunks,
                protocol,
              }),
            );
          },
        );
        sent.on('error', reject);
        sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
      });
    }

    it('ends TLS and passes calls on', async () => {
      const reply = await ask({ body: call('echo', { text: 'through the proxy' }) });
      assert.equal(reply.status, 200);
      assert.match(reply.protocol!, /^TLSv1\.[23]$/);
      assert.match(reply.text, /through the proxy/);
      assert.equal(
        (await ask({ headers: { 'Content-Type': 'application/json' }, body: rpc('ping') })).status,
        401,
      );
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
      const spread = chunks.at(-1)!.at - chunks[0]!.at;
      assert.ok(spread > 400, `the events came within ${Math.round(spread)} ms`);
    });

    it('takes large bodies and refuses too large ones with our own words', async () => {
      const large = await ask({ body: call('echo', { text: 'x'.repeat(9_000_000) }) });
      assert.equal(large.status, 200);
      assert.match(large.text, /INVALID_INPUT/);
      const tooLarge = await ask({ body: call('echo', { text: 'x'.repeat(10_600_000) }) });
      assert.equal(tooLarge.status, 413);
      assert.match(tooLarge.text, /at most 10485760 bytes/);
    });

    it('tells the client’s address, and nobody can tell another', async () => {
      server.lines.length = 0;
      await ask({
        from: '127.0.0.5',
        headers: { ...as(KEY), 'X-Forwarded-For': '9.9.9.9' },
        body: rpc('ping'),
      });
      await within(1_000, async () => server.lines.some((line) => line['rpc'] === 'ping'));
      assert.equal(server.lines.find((line) => line['rpc'] === 'ping')!['address'], '127.0.0.5');
    });

    it('keeps metrics inside and limits by address', async () => {
      assert.equal((await ask({ method: 'GET', path: '/metrics' })).status, 404);
      const statuses = await Promise.all(
        Array.from({ length: 80 }, async () => (await ask({ from: '127.0.0.9', body: rpc('ping') })).status),
      );
      assert.ok(statuses.includes(200) && statuses.includes(429), [...new Set(statuses)].join());
    });
  },
);

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
