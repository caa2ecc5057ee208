// The scenarios of the official suite that need no fixtures, against the package. `test/conformance` runs the whole suite
// against the server's sources, because its fixtures do not ship.

import assert from 'node:assert/strict';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { runScenario } from '../conformance/run.ts';
import { served } from '../support/served.ts';

const SCENARIOS: [string, string[]][] = [
  [
    '2026-07-28',
    [
      'tools-list',
      'resources-list',
      'prompts-list',
      'caching',
      'sep-2164-resource-not-found',
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-unsupported-methods',
    ],
  ],
  ['2025-11-25', ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list']],
];

/** The suite cannot send a key: this sends it for every request, and passes everything else on as it came. */
async function withKey(target: number, key: string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { method, url: path } = incoming;
    const passed = request(
      { host: '127.0.0.1', port: target, method, path, headers, setHost: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return proxy;
}

it('the package passes what applies to it', async (context) => {
  await using server = await served();
  const proxy = await withKey(server.port, server.key);
  context.after(() => proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  for (const [revision, names] of SCENARIOS) {
    for (const name of names) {
      const { status, output } = await runScenario(url, revision, name);
      assert.equal(status, 0, `${revision} ${name}\n${output}`);
      assert.doesNotMatch(output, /[1-9]\d* failed/, `${revision} ${name}\n${output}`);
    }
  }
});
