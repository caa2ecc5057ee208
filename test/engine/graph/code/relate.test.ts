// Code in an indexed folder: traced and connected beside prose, kept in step, and not in the way of it.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import type { Store } from '../../../../src/ports/store.ts';
import { call, using } from '../../../support/graph-folder.ts';

test('a folder of code and prose: trace, path, joined documentation, edits, and lists that stay readable', () =>
  using(async (folder) => {
    folder.write(
      'src/main.ts',
      "import { loadConfig } from './config.ts';\nexport function runServer() {\n  loadConfig();\n}\n",
    );
    folder.write(
      'src/config.ts',
      "import { parseYaml } from './yaml.ts';\nexport function loadConfig() {\n  return parseYaml();\n}\n",
    );
    folder.write('src/yaml.ts', 'export function parseYaml() {}\n');
    folder.write('dist/bundle.js', 'function loadConfig() {}\nfunction parseYaml() {}\n');
    folder.write(
      'guide.md',
      '# Auth Service\n\nThe Auth Service uses Redis. At the start the Auth Service calls `loadConfig`.\n\n## loadConfig\n\n`loadConfig` reads the file.\n',
    );
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const trace = async (entity: string, direction: 'downstream' | 'impact') =>
      (await engine.graph.trace(call, { entity, direction })).nodes.map(({ name }) => name);
    assert.deepEqual(await trace('runServer', 'downstream'), ['runServer', 'loadConfig', 'parseYaml']);
    const path = await engine.graph.path(call, { from: 'src/main.ts', to: 'src/yaml.ts', maxDepth: 5 });
    assert.deepEqual(
      path.edges.map(({ type, target, evidence }) => [type, target, evidence[0]?.citation]),
      [
        ['IMPORTS', 'src/config.ts', 'docs/src/main.ts:1'],
        ['IMPORTS', 'src/yaml.ts', 'docs/src/config.ts:1'],
      ],
    );
    const { entities } = await engine.graph.entities(call, { query: 'loadConfig', limit: 10 });
    const joined = entities.find(({ name }) => name === 'loadConfig');
    assert.deepEqual(joined?.by.toSorted(), ['code', 'rules']);
    const all = await engine.graph.entities(call, { limit: 50 });
    assert.ok(all.entities.some(({ name }) => name === 'Auth Service'));
    assert.ok(all.entities.every(({ type }) => type !== 'MODULE' && type !== 'FUNCTION'));
    assert.match(all.warnings.join(), /entities of code are left out/);
    assert.ok((await engine.graph.entities(call, { type: 'function', limit: 50 })).total >= 2);
    assert.deepEqual((await engine.graph.stats(call)).warnings, []);

    folder.write('src/config.ts', 'export function loadConfig() {}\n');
    await engine.graph.index(call, {});
    assert.deepEqual(await trace('runServer', 'downstream'), ['runServer', 'loadConfig']);
    // A definition that moves changes what another file is said to call.
    folder.write('src/yaml.ts', 'export function parseYaml() {}\nexport function loadConfig() {}\n');
    await engine.graph.index(call, {});
    const again = await engine.graph.index(call, {});
    assert.equal(again.run.unchanged, 5);
    assert.ok(
      (await trace('runServer', 'downstream')).some((name) => name.startsWith('loadConfig (src/config.ts')),
    );
    folder.remove('src/yaml.ts');
    await engine.graph.index(call, {});
    assert.ok((await trace('loadConfig', 'impact')).includes('runServer'));
    await engine.graph.index(call, { force: true });
    assert.deepEqual(await trace('runServer', 'downstream'), ['runServer', 'loadConfig']);
    await engine.graph.build(call, { collection: 'docs', db: engine.graph.settings.db ?? 'vai' });
    assert.deepEqual(await trace('runServer', 'downstream'), ['runServer', 'loadConfig']);
  }));

test('what an earlier version read in a file is not taken for what this one would read', () =>
  using(async (folder) => {
    // Before modules of Elixir were entities.
    const text = 'defmodule Shop.Cart do\n  def total(cart), do: Shop.Tax.add(cart)\nend\n';
    const key = hash('sha256', JSON.stringify(['code-2', hash('sha256', text, 'hex'), '.ex']), 'hex').slice(
      0,
      32,
    );
    folder.write('lib/cart.ex', text);
    folder.write('lib/tax.ex', 'defmodule Shop.Tax do\n  def add(cart), do: cart\nend\n');
    let kept: Promise<void> | undefined;
    const wrap = (store: Store): Store => {
      kept ??= store.cache.put('graph-symbols', new Map([[key, Buffer.from('null')]]));
      return store;
    };
    const engine = await folder.open({ wrap });
    await engine.graph.stats(call);
    await kept;
    await engine.graph.index(call, {});
    const { nodes } = await engine.graph.trace(call, { entity: 'Shop.Cart.total', direction: 'downstream' });
    assert.deepEqual(
      nodes.map(({ name }) => name),
      ['Shop.Cart.total', 'Shop.Tax.add'],
    );
  }));
