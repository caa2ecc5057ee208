// Caddy as deploy/caddy/Caddyfile sets it up, for real. Only the port, the server behind and where the certificate comes
// from are replaced: there is no authority to ask for one here.

import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { httpServer, type TestServer } from '../support/http.ts';
import { proxyCases } from '../support/proxy-cases.ts';
import { freePort } from '../../support/port.ts';
import { endProxy, makeCertificate, missingCommands, proxyReady, SITE } from '../support/proxy.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CONFIG = fileURLToPath(new URL('../../../deploy/caddy/Caddyfile', import.meta.url));

describe('Caddy in front', { skip: missingCommands(['caddy', 'openssl']) }, () => {
  const folder = tempFolder('caddy');
  let server: TestServer;
  let caddy: ChildProcess | undefined;
  let port: number;

  before(async () => {
    server = await httpServer({ allowedHosts: [SITE], trustedProxies: ['loopback'] });
    port = await freePort();
    const { key, cert } = makeCertificate(folder);
    const site = (await readFile(CONFIG, 'utf8'))
      .replace(`${SITE} {`, `${SITE}:${port} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}`)
      .replace('127.0.0.1:3100', new URL(server.url).host);
    await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
    caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await proxyReady(caddy, port);
  });

  after(async () => {
    await endProxy(caddy);
    await server?.[Symbol.asyncDispose]();
  });

  it('finds nothing wrong with the file as it is', () => {
    const caddyRun = (...args: string[]) =>
      spawnSync('caddy', args, { env: { PATH: process.env['PATH'], HOME: folder }, encoding: 'utf8' });
    const checked = caddyRun('validate', '--config', CONFIG, '--adapter', 'caddyfile');
    assert.equal(checked.status, 0, checked.stderr);
    assert.doesNotMatch(checked.stderr, /"level":"(warn|error)"/);
    assert.equal(caddyRun('fmt', CONFIG).stdout, readFileSync(CONFIG, 'utf8'));
  });

  proxyCases(() => ({ port, server }));
});
