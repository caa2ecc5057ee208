// A real server over stdio while its database goes away and comes back: every tool answers and says what is
// wrong, the server recovers by itself, and two servers on one database answer alike.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startMongod, type RunningMongod } from '../support/mongod/start.ts';
import { vaiClient, type VaiClient } from '../support/vai-client.ts';
import { until } from '../support/wait.ts';

const NEEDS_STORE: [name: string, input: Record<string, unknown>][] = [
  ['vai_query', { query: 'rate limiting' }],
  ['vai_search', { query: 'rate limiting' }],
  ['vai_collections', {}],
  ['vai_ingest', { text: 'new text', source: 'new.md' }],
  ['find', { query: 'rate limiting' }],
  ['list-sources', {}],
  ['learn-blz', {}],
  ['flowrag_search', { query: 'rate limiting' }],
  ['flowrag_entities', {}],
  ['flowrag_stats', {}],
];

/** Asked only while the database is away: in order they would fail for other reasons. */
const OTHERS: [name: string, input: Record<string, unknown>][] = [
  ['vai_get', { target: 'birds' }],
  ['source-add', { alias: 'gone', url: 'https://example.invalid/llms.txt' }],
  ['flowrag_relations', { entity: 'Herons' }],
  ['flowrag_trace', { entity: 'Herons', direction: 'upstream' }],
  ['flowrag_path', { from: 'Herons', to: 'Storks' }],
  ['flowrag_contribute', { entities: [{ name: 'Herons', type: 'SERVICE', citation: 'birds.md:1' }] }],
];

const NEEDS_NONE: [name: string, input: Record<string, unknown>][] = [
  ['vai_models', {}],
  ['vai_explain', { topic: 'rag' }],
  ['vai_estimate', { docs: 10 }],
  ['vai_embed', { text: 'hello' }],
  ['vai_similarity', { text1: 'a cat', text2: 'a dog' }],
  ['vai_rerank', { query: 'cats', documents: ['about cats', 'about dogs'] }],
];

interface Raw {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

const TOOLSETS = ['--toolsets', 'blz', '--toolsets', 'flowrag'];

describe('a server whose database goes away', () => {
  let mongod: RunningMongod;
  let one: VaiClient;
  let two: VaiClient;
  const call = async (vai: VaiClient, name: string, input: Record<string, unknown>): Promise<Raw> =>
    (await vai.client.callTool({ name, arguments: input })) as Raw;
  const secret = 'pa55word';

  before(async () => {
    mongod = await startMongod({ keepData: true, auth: { user: 'carol', password: secret } });
    const env = { VAI_STORE: 'mongodb', MONGODB_URI: mongod.uri };
    [one, two] = await Promise.all([vaiClient({ env, args: TOOLSETS }), vaiClient({ env, args: TOOLSETS })]);
    for (const [at, text] of [
      'Rate limiting is per key.',
      'Rate limiting uses a bucket.',
      'Bananas ripen.',
    ].entries())
      await one.tool('vai_ingest', { text: `# Page ${at}\n\n${text}`, source: `page-${at}.md` });
  });
  after(async () => {
    await one.close();
    await two.close();
    await mongod.stop();
  });

  it('two servers on one database give identical answers', async () => {
    for (const [name, input] of [...NEEDS_STORE.filter(([tool]) => tool !== 'vai_ingest'), ...NEEDS_NONE]) {
      const [a, b] = await Promise.all([call(one, name, input), call(two, name, input)]);
      assert.equal(a.isError ?? false, b.isError ?? false, name);
      assert.deepEqual(timeless(a.structuredContent), timeless(b.structuredContent), name);
    }
    await two.tool('vai_ingest', { text: 'Written by the second server about zebras.', source: 'zebra.md' });
    const found = await one.tool('vai_search', { query: 'zebras', mode: 'words' });
    assert.equal((found.structured.results as { source: string }[])[0]?.source, 'zebra.md');
  });

  it('the list of tools is complete', async () => {
    const { tools } = await one.client.listTools();
    const known = [...NEEDS_STORE, ...OTHERS, ...NEEDS_NONE].map(([name]) => name);
    // Indexing a folder needs a folder; it is refused before the store is asked.
    const rest = tools.map((tool) => tool.name).filter((name) => !known.includes(name));
    assert.deepEqual(rest.sort(), ['flowrag_index', 'run-command']);
  });

  it('every tool answers with what is wrong, not with a deadline, and nothing secret is said', async () => {
    await mongod.kill();
    const ran = call(one, 'run-command', { command: 'validate' });
    await Promise.all(
      [...NEEDS_STORE, ...OTHERS].map(async ([name, input]) => {
        const answer = await call(one, name, input);
        assert.equal(answer.isError, true, `${name}: ${answer.content[0]?.text}`);
        assert.match(answer.content[0]!.text, /MongoDB cannot be reached/, name);
        assert.ok(
          !answer.content[0]!.text.includes(secret) && !answer.content[0]!.text.includes('carol'),
          name,
        );
      }),
    );
    // A command reports its failure as a command does: by its exit status.
    assert.match((await ran).content[0]!.text, /MongoDB cannot be reached.*"exitCode":5/);
    for (const [name, input] of NEEDS_NONE) assert.ok(!(await call(one, name, input)).isError, name);
    assert.ok(!one.stderr().includes(secret));
  });

  it('it recovers by itself when the database returns', async () => {
    await mongod.revive();
    let answer: Raw | undefined;
    await until(async () => !(answer = await call(one, 'vai_query', { query: 'rate limiting' })).isError);
    assert.equal((answer!.structuredContent!.results as unknown[]).length > 0, true);
    await one.tool('vai_ingest', { text: 'After the outage.', source: 'after.md' });
    for (const [name, input] of NEEDS_STORE) assert.ok(!(await call(two, name, input)).isError, name);
  });
});

/** Answers without what measures time. */
function timeless(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (key, inner: unknown) =>
      /time|Ms$|latency|At$/i.test(key) ? undefined : inner,
    ),
  );
}
