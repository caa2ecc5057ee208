// Calls everything that docs/reference.md lists, on the package, and looks at each answer. What is new and called nowhere
// fails the last test; a case for it is one line in commands.ts or tools.ts, or a few in servers.ts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { GROUPS } from './commands.ts';
import { items, itemsOf } from './items.ts';
import { forRoutes, ROUTES, SERVERS, withClient } from './servers.ts';
import { PROMPTS, RESOURCES, TOOLS } from './tools.ts';
import { makeWorld, type World } from './world.ts';

const called = new Set<string>();

/** In a world of its own; cases of a group run in order, because one needs what the one before has made. */
function group(name: string, cases: (world: () => World) => void): void {
  describe(name, () => {
    let world: World;
    before(async () => (world = await makeWorld()));
    after(() => world.close());
    cases(() => world);
  });
}

for (const [name, cases] of Object.entries(GROUPS))
  group(name, (world) => {
    for (const [line, expected, options] of cases)
      it(line, async () => {
        const { kept, run } = world();
        const words = split(line, kept);
        const { status, stdout, stderr } = await run(words, options);
        assert.equal(status, options?.status ?? 0, `${stdout}${stderr}`);
        for (const pattern of [expected].flat()) {
          const found = pattern.exec(stdout);
          assert.ok(found, `${pattern} is not in\n${stdout}${stderr}`);
          Object.assign(kept, found.groups);
        }
        assert.match(stderr, options?.stderr ?? /^/);
        assert.ok(options?.then?.(world()) ?? true, 'what must be true afterwards');
        for (const item of itemsOf(words)) called.add(item);
      });
  });

group('servers', (world) => {
  for (const { line, check } of SERVERS)
    it(line, async () => {
      const words = split(line);
      await check(world(), words);
      for (const item of itemsOf(words)) called.add(item);
    });
});

group('routes', (world) => {
  it('each answers', () =>
    forRoutes(world(), async (url, key) => {
      for (const [route, check] of Object.entries(ROUTES)) {
        await check(url, key);
        called.add(`route ${route}`);
      }
    }));
});

group('tools, resources and prompts', (world) => {
  it('each answers', () =>
    withClient(world(), ['vai', 'mcp-server'], async (client) => {
      const kept: Record<string, string> = { site: world().site.origin };
      for (const [name, values, expected] of TOOLS) {
        const text = fill(JSON.stringify(values), kept);
        const answer = await client.callTool({ name, arguments: JSON.parse(text) as typeof values });
        assert.ok(!answer.isError, `${name}: ${JSON.stringify(answer.content)}`);
        const said = JSON.stringify(answer.structuredContent);
        const found = expected.exec(said);
        assert.ok(found, `${name}: ${expected} is not in ${said}`);
        Object.assign(kept, found.groups);
        for (const argument of Object.keys(values)) called.add(`argument ${name} ${argument}`);
        called.add(`tool ${name}`);
      }
      for (const [template, uri, expected] of RESOURCES) {
        const { contents } = await client.readResource({ uri });
        assert.match((contents[0] as { text: string }).text, expected, uri);
        called.add(`resource ${template}`);
      }
      for (const [name, values, expected] of PROMPTS) {
        const { messages } = await client.getPrompt({ name, arguments: values });
        assert.match(JSON.stringify(messages), expected, name);
        called.add(`prompt ${name}`);
      }
    }));
});

it('everything in the reference was called', () => {
  const missing = items().filter((item) => !called.has(item));
  assert.deepEqual(missing, [], 'add a case: see commands.ts, servers.ts and tools.ts beside this file');
});

/** As a shell does, without expanding anything but `{name}`. */
function split(line: string, kept: Record<string, string> = {}): string[] {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3]!,
  );
  return words.map((word) => fill(word, kept));
}

function fill(text: string, kept: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => kept[name] ?? whole);
}
