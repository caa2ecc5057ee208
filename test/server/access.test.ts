// A key limited to some collections sees nothing of another: every tool, resource, prompt and completion of every
// toolset there is, asked with every way to name the hidden collection. Whatever is added later is walked too.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type * as z from 'zod';
import type { Tool, Toolset } from '../../src/tools/tool.ts';
import { httpServer, KEY, LIMITED_KEY, KEYS, stored } from './support/http.ts';
import { realServerParts, type Real } from './support/real.ts';
import { as, rpc, send } from './support/send.ts';

const OPEN = 'public';
const HIDDEN = 'payroll';
/** Words that are nowhere but in the hidden collection. */
const MARKS = ['ZANZIBAR-SALARY', 'quetzal', 'Aurelia Quince'];
const HIDDEN_TEXT = `# Payroll of Aurelia Quince\n\nThe ZANZIBAR-SALARY is 742-901-633. A quetzal pays it to Aurelia Quince.\n\n## Quetzal service\n\nThe quetzal service depends on the ZANZIBAR-SALARY ledger.\n`;
const OPEN_TEXT =
  '# Public guide\n\nKeys are made with generate-key. The web service depends on the key ledger.\n';

/** Every value worth trying for one argument, from what its schema accepts. */
function candidates(name: string, schema: z.core.$ZodType): unknown[] {
  const names = [
    HIDDEN,
    `${HIDDEN}/notes.md`,
    `${HIDDEN}/notes.md:1-7`,
    `${HIDDEN}:1-7`,
    'quetzal',
    'Aurelia Quince',
    '*',
  ];
  if (/snippets|documents|names|collections|sources/.test(name))
    return [[`${HIDDEN}/notes.md:1-7`], [HIDDEN], names];
  const accepts = (value: unknown): boolean => (schema as z.ZodType).safeParse(value).success;
  const lists = names.map((one) => [one]);
  const booleans = [true, false];
  return [...names, ...lists, ...booleans].filter(accepts).slice(0, 8);
}

/** Calls that name the hidden collection in each argument, one at a time and together. */
function calls(tool: Tool): Record<string, unknown>[] {
  const shape = Object.entries(tool.input.shape) as [string, z.core.$ZodType][];
  const needed = Object.fromEntries(
    shape
      .filter(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
      .map(([name, schema]) => [name, candidates(name, schema)[0] ?? 'quetzal']),
  );
  const each = shape.flatMap(([name, schema]) =>
    candidates(name, schema).map((value) => ({ ...needed, [name]: value })),
  );
  const scoped = shape.some(([name]) => name === 'collection')
    ? each.map((values) => ({ ...values, collection: HIDDEN }))
    : [];
  const all = [needed, ...each, ...scoped].filter((values) => tool.input.safeParse(values).success);
  return [...new Map(all.map((values) => [JSON.stringify(values), values])).values()];
}

/** The hidden names themselves are what the caller typed: only what it did not type counts. */
function leaks(answer: unknown, asked: unknown): string[] {
  const text = JSON.stringify(answer).replaceAll(/\\u[0-9a-f]{4}/gi, ' ');
  const typed = JSON.stringify(asked);
  return [...MARKS, '742-901-633', `${HIDDEN}/`, `"${HIDDEN}"`].filter(
    (mark) => text.includes(mark) && !typed.includes(mark),
  );
}

const KINDS = [
  ...KEYS.filter((key) => key.sha256 !== stored(LIMITED_KEY).sha256),
  stored(LIMITED_KEY, { collections: [OPEN], scopes: ['read', 'write', 'admin'] }),
];

async function prepare(real: Real): Promise<void> {
  await real.store(HIDDEN, 'notes.md', HIDDEN_TEXT);
  await real.store(OPEN, 'guide.md', OPEN_TEXT);
}

/** What fetches from outside has tests of its own; here it would only wait for a network. */
const local = (tool: Tool): boolean => tool.annotations.readOnlyHint || !tool.annotations.openWorldHint;

describe('a key limited to a collection', { timeout: 240_000 }, () => {
  it('sees nothing of another through any tool', async () => {
    await using real = await realServerParts();
    await prepare(real);
    await using server = await httpServer({ toolsets: real.toolsets, engine: real.engine, keys: KINDS });
    const call = async (key: string, name: string, values: object): Promise<unknown> =>
      (await send(server, { headers: as(key), body: rpc('tools/call', { name, arguments: values }) })).body;
    let walked = 0;
    for (const tool of tools(real.toolsets).filter(local)) {
      for (const values of calls(tool)) {
        const answer = await call(LIMITED_KEY, tool.name, values);
        assert.deepEqual(
          leaks(answer, values),
          [],
          `${tool.name} ${JSON.stringify(values)}\n${JSON.stringify(answer).slice(0, 600)}`,
        );
        walked += 1;
      }
    }
    assert.ok(walked >= 50, `${walked} calls`);
    // The walk can fail: a key without the limit finds what it hides.
    const seen = await call(KEY, 'vai_query', { query: 'zanzibar salary', collection: HIDDEN });
    assert.match(JSON.stringify(seen), /ZANZIBAR-SALARY/);
    // And nothing was written into it.
    const after = await real.engine.search.run(
      { principal: { id: 'local', scopes: ['read'], collections: '*', databases: '*' } },
      { query: 'quetzal', collections: [HIDDEN], limit: 50 },
    );
    assert.ok(after.hits.every((hit) => HIDDEN_TEXT.includes(hit.text.trim().slice(0, 20))));
  });

  it('sees nothing of another through resources, prompts and completion', async () => {
    await using real = await realServerParts();
    await prepare(real);
    await using server = await httpServer({ toolsets: real.toolsets, engine: real.engine, keys: KINDS });
    const ask = async (method: string, params: object): Promise<void> => {
      const { body } = await send(server, { headers: as(LIMITED_KEY), body: rpc(method, params) });
      assert.deepEqual(
        leaks(body, params),
        [],
        `${method} ${JSON.stringify(params)}\n${JSON.stringify(body).slice(0, 600)}`,
      );
    };
    await ask('resources/list', {});
    const names = [
      HIDDEN,
      `${HIDDEN}/notes.md`,
      `${HIDDEN}/notes.md:1-7`,
      'quetzal',
      'Aurelia Quince',
      'vai',
      '',
    ];
    for (const set of real.toolsets) {
      for (const resource of set.resources) {
        for (const name of names) {
          const uri = resource.uri
            .replace(/\{db\}/, 'vai')
            .replaceAll(/\{\+?\w+\}/g, encodeURIComponent(name));
          await ask('resources/read', { uri });
          for (const [, variable] of resource.uri.matchAll(/\{\+?(\w+)\}/g)) {
            for (const value of ['', name.slice(0, 2)]) {
              const argument = { name: variable, value };
              const context = { arguments: { db: 'vai', collection: HIDDEN } };
              await ask('completion/complete', {
                ref: { type: 'ref/resource', uri: resource.uri },
                argument,
                context,
              });
            }
          }
        }
      }
      for (const prompt of set.prompts) {
        for (const name of names) {
          const values = Object.fromEntries(prompt.arguments.map((argument) => [argument.name, name]));
          await ask('prompts/get', { name: prompt.name, arguments: values });
          for (const argument of prompt.arguments) {
            const ref = { type: 'ref/prompt', name: prompt.name };
            await ask('completion/complete', {
              ref,
              argument: { name: argument.name, value: name.slice(0, 2) },
            });
          }
        }
      }
    }
  });
});

function tools(toolsets: Toolset[]): Tool[] {
  return toolsets.flatMap((set) => set.tools);
}
