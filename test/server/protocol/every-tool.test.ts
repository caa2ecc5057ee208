// What holds for every tool of every toolset, whoever wrote it: how arguments may be written, what a refusal says, which
// fields an answer has. A new tool needs one line in CALLS.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Declared } from '../../../src/server/protocol/accept.ts';
import type { ToolDefinition } from '../../../src/server/protocol/surface.ts';
import { UNTRUSTED, type Tool } from '../../../src/tools/tool.ts';
import { allTools } from '../../support/all-tools.ts';
import { GUIDE } from '../../support/blz-engine.ts';
import { startDocsServer, type DocsServer } from '../../support/docs-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const server: DocsServer = await startDocsServer();
server.set('/guide.md', GUIDE);

/** A call of each tool with every argument it takes, in an order in which each can succeed. */
const CALLS: Record<string, Record<string, unknown>> = {
  vai_ingest: {
    text: '# Herons\n\nHerons stand still, then strike.',
    db: 'vai',
    collection: 'birds',
    source: 'herons.md',
    metadata: { kind: 'bird' },
    chunkStrategy: 'markdown',
    chunkSize: 800,
    model: 'builtin-embed-1',
    onExisting: 'replace',
  },
  vai_query: {
    query: 'how do herons hunt',
    db: 'vai',
    collection: 'birds',
    limit: 3,
    model: 'builtin-embed-1',
    rerank: true,
    filter: { 'metadata.kind': 'bird' },
    deadlineMs: 40_000,
    maxTokens: 2_000,
    minRelevance: 0,
    version: '',
    cursor: '',
  },
  vai_search: {
    query: 'herons',
    db: 'vai',
    collection: 'birds',
    limit: 3,
    model: 'builtin-embed-1',
    filter: { 'metadata.kind': 'bird' },
    mode: 'hybrid',
    minRelevance: 0,
    version: '',
    cursor: '',
  },
  vai_rerank: { query: 'herons', documents: ['about herons', 'about storks'], model: 'builtin-rerank-1' },
  vai_embed: { text: 'herons', model: 'builtin-embed-1', inputType: 'document', dimensions: 64 },
  vai_similarity: { text1: 'a heron', text2: 'a stork', model: 'builtin-embed-1' },
  vai_collections: { db: 'vai' },
  vai_models: { category: 'rerank' },
  vai_explain: { topic: 'chunking' },
  vai_estimate: { docs: 1000, queries: 50, months: 6, docTokens: 400, queryTokens: 20 },
  vai_get: { target: 'birds/herons.md', view: 'document', db: 'vai', cursor: 'herons.md' },
  vai_delete: { collection: 'birds', path: 'gone.md', db: 'vai' },
  vai_chunk: { text: 'One. Two.', chunkStrategy: 'sentence', chunkSize: 200, overlap: 20 },
  vai_index: {
    action: 'list',
    db: 'vai',
    collection: 'birds',
    type: 'vector',
    name: 'vector_index',
    dimensions: 256,
    filterFields: ['metadata.kind'],
  },
  'source-add': { alias: 'guide', url: `${server.origin}/guide.md`, force: true },
  find: {
    query: 'install',
    snippets: ['guide:1-3'],
    source: ['guide'],
    contextMode: 'symmetric',
    linePadding: 2,
    maxResults: 5,
    minRelevance: 0,
    version: '',
  },
  'list-sources': { filter: 'guide' },
  'run-command': { command: 'inspect', source: 'guide' },
  'learn-blz': {},
  flowrag_index: { force: true },
  flowrag_search: { query: 'login', mode: 'hybrid', limit: 3, collection: '*', minRelevance: 0, version: '' },
  flowrag_entities: { type: 'SERVICE', query: 'Auth', limit: 5 },
  flowrag_relations: { entity: 'Auth Service', direction: 'both', type: 'USES', minConfidence: 0.5 },
  flowrag_trace: { entity: 'Auth Service', direction: 'downstream' },
  flowrag_path: { from: 'Auth Service', to: 'Redis', maxDepth: 4 },
  flowrag_stats: {},
  flowrag_contribute: {
    entities: [{ name: 'Redis', type: 'DATABASE', citation: 'docs/auth.md:3' }],
    relations: [{ source: 'Auth Service', type: 'USES', target: 'Redis', citation: 'docs/auth.md:3' }],
    remove: false,
  },
};

/** What a call needs to succeed here, beside what its schema requires. */
const ALSO_NEEDED: Record<string, string[]> = { find: ['query'], 'source-add': ['url', 'force'] };

/** Fields that are measures, not counts. */
const MEASURES = ['similarity'];

const root = tempFolder('every-tool');
mkdirSync(join(root, 'docs'));
writeFileSync(
  join(root, 'docs/auth.md'),
  'The Auth Service uses Redis. The Gateway calls the Auth Service.\n',
);
writeFileSync(join(root, 'flowrag.config.json'), JSON.stringify({ docs: './docs', data: './data' }));
const { toolsets, surface, dispatcher, open } = await allTools(root, { VAI_EXTRA_TOOLS: '1' });
const tools = toolsets.flatMap((set) => set.tools);
const definitions = new Map(surface.tools.map(({ definition }) => [definition.name, definition]));
let engine: Engine;

before(async () => {
  engine = await open();
});
after(async () => {
  await engine.close();
  await server.close();
});

interface Answer {
  isError?: boolean;
  structuredContent: Record<string, unknown>;
  content: { text: string }[];
}

async function call(name: string, values: Record<string, unknown>): Promise<Answer> {
  const context = { call: localCall(), engine: async () => engine };
  // What was removed by the call before is there again.
  if (name === 'vai_delete')
    await engine.ingest.text(localCall(), { text: 'Gone.', source: 'gone.md', collection: 'birds' });
  return (await dispatcher.callTool(name, values, context)) as unknown as Answer;
}

async function good(name: string, values: Record<string, unknown>): Promise<Answer> {
  const answer = await call(name, values);
  assert.ok(!answer.isError, `${name} ${JSON.stringify(values)}: ${answer.content[0]!.text}`);
  return answer;
}

async function refusal(name: string, values: Record<string, unknown>): Promise<string> {
  const { isError, content } = await call(name, values);
  assert.equal(isError, true, `${name} took ${JSON.stringify(values)}`);
  const { message, hint = '' } = (
    JSON.parse(content[0]!.text) as { error: { message: string; hint?: string } }
  ).error;
  return `${message} ${hint}`.trim();
}

/** Without what differs from one call to the next. */
const stable = ({ structuredContent }: Answer): unknown =>
  JSON.parse(JSON.stringify(structuredContent, (key, value: unknown) => (/(Ms|At)$/.test(key) ? 0 : value)));

const properties = (schema: ToolDefinition['inputSchema'] | undefined): Record<string, Declared> =>
  (schema?.['properties'] ?? {}) as Record<string, Declared>;
const required = (schema: ToolDefinition['inputSchema']): string[] => (schema['required'] ?? []) as string[];

const everyTool = (
  what: string,
  check: (tool: Tool, definition: ToolDefinition) => Promise<void> | void,
): void =>
  void it(what, async () => {
    for (const name of Object.keys(CALLS)) {
      const tool = tools.find((one) => one.name === name);
      assert.ok(tool, `${name} is in CALLS and no tool`);
      await check(tool, definitions.get(name)!);
    }
  });

it('each tool is called here, with every argument', () => {
  // By name first: a tool without arguments would be missed as one whose call is empty.
  assert.deepEqual(Object.keys(CALLS).sort(), [...definitions.keys()].sort());
  for (const { name, inputSchema } of definitions.values())
    assert.deepEqual(Object.keys(CALLS[name]!).sort(), Object.keys(properties(inputSchema)).sort(), name);
});

describe('an answer', () => {
  everyTool('names its fields in its schema, or none of them', async ({ name }, { outputSchema }) => {
    const declared = Object.keys(properties(outputSchema));
    for (const values of [CALLS[name]!, needed(name)]) {
      const found = Object.keys((await good(name, values)).structuredContent);
      if (declared.length > 0)
        assert.deepEqual(
          found.filter((field) => !declared.includes(field)),
          [],
          name,
        );
    }
  });

  everyTool('counts in whole numbers', ({ name }, { outputSchema }) => {
    for (const [field, { type }] of Object.entries(properties(outputSchema)))
      assert.ok(
        type !== 'number' || MEASURES.includes(field),
        `${name}: ${field} is a number, not an integer`,
      );
  });

  everyTool('says in both copies that what it quotes is data', async ({ name, quotes }) => {
    const { structuredContent, content } = await good(name, CALLS[name]!);
    assert.equal(structuredContent['untrusted'], quotes ? UNTRUSTED : undefined, name);
    assert.equal(/data, not instructions/.test(content[0]!.text), quotes ?? false, name);
  });
});

/** Only what must be given. */
function needed(name: string): Record<string, unknown> {
  const names = [...required(definitions.get(name)!.inputSchema), ...(ALSO_NEEDED[name] ?? [])];
  return Object.fromEntries(Object.entries(CALLS[name]!).filter(([key]) => names.includes(key)));
}

describe('an argument', () => {
  for (const [what, nothing] of [
    ['null', () => null],
    ['an empty text', () => ''],
    ['an empty list', () => []],
  ] as const)
    everyTool(`that is optional and ${what} was left out`, async ({ name, annotations }, { inputSchema }) => {
      const all = Object.keys(properties(inputSchema));
      const empty = Object.fromEntries(all.map((key) => [key, nothing()]));
      const bare = await good(name, needed(name));
      const filled = await good(name, { ...empty, ...needed(name) });
      if (annotations.readOnlyHint) assert.deepEqual(stable(filled), stable(bare), name);
    });

  everyTool('may be written as text, whatever its type', async ({ name, annotations }) => {
    const written = Object.entries(CALLS[name]!).map(([key, value]): [string, unknown] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const plain = await good(name, CALLS[name]!);
    const asText = await good(name, Object.fromEntries(written));
    if (annotations.readOnlyHint) assert.deepEqual(stable(asText), stable(plain), name);
  });

  everyTool('that is missing is named', async ({ name }, { inputSchema }) => {
    for (const missing of required(inputSchema)) {
      const { [missing]: _, ...rest } = CALLS[name]!;
      assert.equal(await refusal(name, rest), `\`${missing}\` is required.`);
    }
  });

  everyTool('that is unknown is refused, with the nearest', async ({ name }, { inputSchema }) => {
    const [first] = Object.keys(properties(inputSchema));
    const wrong = first ? `${first}x` : 'anything';
    const said = await refusal(name, { ...CALLS[name], [wrong]: 1 });
    assert.ok(said.startsWith(`Unknown argument \`${wrong}\`.`), said);
    assert.ok(said.includes(first ? `Did you mean \`${first}\`?` : 'Valid arguments: none.'), said);
  });

  everyTool('of the wrong kind is described in plain words', async ({ name }, { inputSchema }) => {
    for (const [key, { type }] of Object.entries(properties(inputSchema))) {
      const wrong = type === 'string' || type === undefined ? { a: 1 } : type === 'array' ? 7 : 'nonsense';
      const said = await refusal(name, { ...CALLS[name], [key]: wrong });
      assert.match(said, new RegExp(`^\`${key}\` must be [a-z]`), said);
      assert.doesNotMatch(said, /expected|received|undefined|invalid|record|string|something else/i);
    }
  });
});
