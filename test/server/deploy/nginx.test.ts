// nginx as deploy/nginx/vai.conf sets it up, for real. Only names, ports and the certificate of the example are
// replaced.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { httpServer, type TestServer } from '../support/http.ts';
import { proxyCases } from '../support/proxy-cases.ts';
import { freePort } from '../../support/port.ts';
import { askProxy, endProxy, makeCertificate, missingCommands, proxyReady, SITE } from '../support/proxy.ts';
import { rpc } from '../support/send.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CONFIG = new URL('../../../deploy/nginx/vai.conf', import.meta.url);

describe('nginx in front', { skip: missingCommands(['nginx', 'openssl']) }, () => {
  const folder = tempFolder('nginx');
  let server: TestServer;
  let nginx: ChildProcess | undefined;
  let port: number;

  before(async () => {
    server = await httpServer({ allowedHosts: [SITE], trustedProxies: ['loopback'] });
    port = await freePort();
    await mkdir(join(folder, 'logs'));
    const { key, cert } = makeCertificate(folder);
    const site = (await readFile(CONFIG, 'utf8'))
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/ssl/vai/fullchain.pem', cert)
      .replace('/etc/ssl/vai/privkey.pem', key)
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
    await proxyReady(nginx, port);
  });

  after(async () => {
    await endProxy(nginx);
    await server?.[Symbol.asyncDispose]();
  });

  proxyCases(() => ({ port, server }));

  it('limits by address', async () => {
    const statuses = await Promise.all(
      Array.from(
        { length: 80 },
        async () => (await askProxy(port, { from: '127.0.0.9', body: rpc('ping') })).status,
      ),
    );
    assert.ok(statuses.includes(200) && statuses.includes(429), [...new Set(statuses)].join());
  });
});
