// The scenarios of the official suite that need no fixtures, against the tools that ship.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { httpServer } from '../server/support/http.ts';
import { realServerParts } from '../server/support/real.ts';
import { runScenario } from './run.ts';

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

it('the shipped tools pass what applies to them', { timeout: 120_000 }, async () => {
  await using real = await realServerParts();
  await using server = await httpServer(
    { toolsets: real.toolsets, engine: real.engine },
    { openKey: randomBytes(16).toString('hex') },
  );
  for (const [revision, names] of SCENARIOS) {
    for (const name of names) {
      const { status, output } = await runScenario(`${server.url}/mcp`, revision, name);
      assert.equal(status, 0, `${revision} ${name}\n${output}`);
      assert.doesNotMatch(output, /[1-9]\d* failed/, `${revision} ${name}\n${output}`);
    }
  }
});
