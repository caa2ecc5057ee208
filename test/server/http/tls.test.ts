// TLS in the process: what is spoken, what is refused at start, and a certificate that is exchanged while it runs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findServers } from '../../../src/cli/serve/status.ts';
import { readCertificate, watchCertificate } from '../../../src/server/http/tls.ts';
import { until } from '../../support/wait.ts';
import { httpServer } from '../support/http.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('server-tls');

function certificate(name: string) {
  const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
    ...['-keyout', files.key, '-out', files.cert],
  ]);
  return made.status === 0 ? files : undefined;
}

const first = certificate('first');
const second = certificate('second');

function ask(port: number, more: RequestOptions): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/health', agent: false, ...more }, (response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += String(part)));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    }).once('error', reject);
  });
}

describe('TLS', { skip: first && second ? false : 'openssl is not installed' }, () => {
  it('is spoken with the given certificate, and nothing else is', async () => {
    await using server = await httpServer({ tls: first! });
    const port = server.server.port!;
    const answer = await ask(port, { ca: readFileSync(first!.cert) });
    assert.equal(answer.status, 200);
    await assert.rejects(ask(port, { ca: readFileSync(second!.cert) }), /self-signed/);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health`));
    await assert.rejects(
      ask(port, { rejectUnauthorized: false, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }),
    );
    const [state] = await findServers(folder, port);
    assert.equal(state?.health?.version, '9.9.9', '`vai mcp-server status` finds it');
  });

  it('refuses files that do not belong together or are not there', () => {
    assert.throws(() => readCertificate({ cert: first!.cert, key: second!.key }), {
      code: 'CONFIG_INVALID',
      message: /the key belongs to another certificate/,
    });
    assert.throws(() => readCertificate({ cert: join(folder, 'none'), key: first!.key }), /is not there/);
    writeFileSync(join(folder, 'noise'), 'noise');
    assert.throws(
      () => readCertificate({ cert: join(folder, 'noise'), key: first!.key }),
      /not what it should/,
    );
  });

  it('reads a renewed pair, and keeps the last good one when half of it is there', async () => {
    const files = { cert: join(folder, 'live.pem'), key: join(folder, 'live.key') };
    copyFileSync(first!.cert, files.cert);
    copyFileSync(first!.key, files.key);
    const used: (string | undefined)[] = [];
    let heard = 0;
    const note = () => void (heard += 1);
    const log = { debug: note, info: note, warn: note, error: note };
    const stop = watchCertificate(files, ({ cert }) => used.push(String(cert)), log, 20);
    try {
      copyFileSync(second!.cert, files.cert);
      await until(() => heard === 1);
      assert.deepEqual(used, [], 'the key is still the old one');
      copyFileSync(second!.key, files.key);
      await until(() => heard === 2);
      assert.deepEqual(used, [readFileSync(second!.cert, 'utf8')]);
    } finally {
      stop();
    }
  });
});

it('warns when keys cross the network unencrypted', async () => {
  const warned = async (more: object): Promise<boolean> => {
    await using server = await httpServer(more);
    return server.lines.some(({ msg }) => /unencrypted/.test(String(msg)));
  };
  assert.equal(await warned({ host: '0.0.0.0' }), true);
  assert.equal(await warned({}), false);
  assert.equal(await warned({ host: '0.0.0.0', trustedProxies: ['10.0.0.1'] }), false);
  if (first) assert.equal(await warned({ host: '0.0.0.0', tls: first }), false);
});
