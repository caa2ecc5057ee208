// vai graph answers what the tools for the graph answer.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

const folder = tempFolder('graph-command');
const vai = commandsIn(folder);

before(async () => {
  const file = join(folder, 'services.md');
  const text = 'The Checkout Service uses the Payment Service.\n\nThe Payment Service depends on Redis.\n';
  writeFileSync(file, `# Services\n\n${text}`);
  for (const args of [
    ['ingest', file, '--collection', 'services'],
    ['graph', 'build', 'services'],
  ]) {
    const { status, stderr } = await vai(...args);
    assert.equal(status, 0, stderr);
  }
});

test('in a pipe, vai graph trace and path answer with JSON', async () => {
  const answer = async (...args: string[]) => JSON.parse((await vai('graph', ...args)).stdout);
  const impact = await answer('trace', 'redis', '--direction', 'impact');
  assert.deepEqual(impact.nodes, [
    { name: 'Redis', type: 'DATABASE', depth: 0 },
    { name: 'Payment Service', type: 'SERVICE', depth: 1 },
    { name: 'Checkout Service', type: 'SERVICE', depth: 2 },
  ]);
  const { found, length } = await answer('path', 'Checkout Service', 'Redis');
  assert.deepEqual({ found, length }, { found: true, length: 2 });
  const near = await answer('path', 'Checkout Service', 'Redis', '--max-depth', '1');
  // Nothing states it in one step: the two are only mentioned together.
  assert.deepEqual([near.searchedDepth, near.length, near.edges[0].stated], [1, 1, false]);
});

test('on a terminal, vai graph trace and path answer with the edges and their citations', async () => {
  const onTerminal = commandsIn(folder, { terminal: true });
  const [uses, needs] = [
    'Checkout Service -USES-> Payment Service [services/services.md:3]',
    'Payment Service -DEPENDS_ON-> Redis [services/services.md:5]',
  ];
  assert.deepEqual(await onTerminal('graph', 'trace', 'Checkout Service', '--collection', 'services'), {
    status: 0,
    stdout: `Downstream of Checkout Service.\n${uses}\n  ${needs}\n2 entities downstream.\n`,
    stderr: '',
  });
  assert.deepEqual(await onTerminal('graph', 'path', 'Checkout Service', 'Redis'), {
    status: 0,
    stdout: `From Checkout Service. To Redis.\n${uses}\n${needs}\n2 steps.\n`,
    stderr: '',
  });
  const refused = await onTerminal('graph', 'path', 'Redis', 'Redis', '--max-depth', '21');
  assert.equal(refused.status, 2);
});
