// What keys spend on hosted models, on the package: two workers count together, and a restart forgets nothing.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sandbox } from '../support/cli.ts';
import { newKey, served, type Served } from '../support/served.ts';
import { startVoyage } from '../support/voyage-server.ts';

const LIMIT = 0.0002;

async function embed(server: Served, key: string, text: string): Promise<string> {
  const reply = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    // A connection of its own, so that both workers have their share.
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'vai_embed', arguments: { text } },
    }),
  });
  return reply.text();
}

it('two workers count together, a restart forgets nothing, and everybody sees what is left', async () => {
  const fake = await startVoyage({ key: 'pa-test-0123456789' });
  const box = sandbox();
  const options = {
    box,
    args: ['mcp-server', '--workers', '2'],
    scopes: 'read,write,admin',
    env: {
      VOYAGE_API_KEY: 'pa-test-0123456789',
      VOYAGE_API_BASE: fake.base,
      VAI_MAX_SPENDING: String(LIMIT),
    },
  };
  try {
    const key = await newKey(box, 'read', ['--name', 'reader']);
    const none = await newKey(box, 'read', ['--name', 'none', '--spending', '0']);
    {
      await using server = await served(options);
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, at) => embed(server, key, `Berth ${at} opens. `.repeat(40))),
      );
      const refused = answers.filter((answer) => answer.includes('COST_LIMIT'));
      assert.ok(refused.length > 0 && refused.length < 24, `${refused.length} of 24 refused`);
      assert.ok((fake.tokens * 0.12) / 1e6 <= LIMIT, `${fake.tokens} tokens were billed`);
      assert.match(await embed(server, none, 'one'), /COST_LIMIT/);
      const metrics = await fetch(`${server.url}/metrics`, {
        headers: { Authorization: `Bearer ${server.key}` },
      }).then((reply) => reply.text());
      const shown = Number(/^vai_model_dollars_today (\S+)$/m.exec(metrics)?.[1]);
      assert.ok(shown > 0 && shown <= LIMIT, metrics.slice(0, 500));
    }
    const { length } = fake.calls;
    await using server = await served(options);
    assert.match(await embed(server, key, 'Berth. '.repeat(450)), /COST_LIMIT/);
    assert.equal(fake.calls.length, length, 'nothing was sent');
    const { stdout } = await box.run('vai', ['mcp-server', 'list-keys']);
    assert.match(stdout, /\$0\.00 today {2}reader/);
    assert.match(stdout, /\$0\/day +(?:never|\d{4})/);
  } finally {
    await fake.close();
    box.remove();
  }
});
