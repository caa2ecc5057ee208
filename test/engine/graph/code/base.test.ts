// Where definitions are looked up: a file with what it hands on, a folder, a package, all of a name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeBase } from '../../../../src/engine/graph/code/base.ts';
import { nodesOf } from '../../../../src/engine/graph/code/names.ts';
import { symbolsOf } from '../../../../src/sources/code/symbols.ts';

async function baseOf(files: Record<string, string>): Promise<CodeBase> {
  const read = await Promise.all(
    Object.entries(files).map(async ([path, text]) => ({ path, symbols: (await symbolsOf(path, text))! })),
  );
  return new CodeBase(read, read.flatMap(nodesOf), 'repo');
}

test('a file hands on what it imports, and an import is called by its last part', async () => {
  const base = await baseOf({
    'src/index.ts': "export * from './store.ts';\n",
    'src/store.ts': 'export function save() {}\n',
    'src/app.ts': "import { save } from './index.ts';\n",
  });
  const paths = (deep: boolean) => base.exported('src/index.ts', 'save', deep).map(({ file }) => file.path);
  assert.deepEqual([paths(true), paths(false)], [['src/store.ts'], []]);
  assert.deepEqual(base.modulesCalled('src/index.ts', 'store'), ['src/store.ts']);
  assert.ok(base.defines('save') && !base.defines('load'));
});

test('a module is found by its full name, in whatever file; an alias opens nothing', async () => {
  const base = await baseOf({
    'lib/a.ex': 'defmodule Shop.Cart do\n  def put(x), do: x\nend\n',
    'lib/b.ex': 'defmodule Shop.App do\n  alias Shop.{Cart, Missing}\n  import Shop.Cart\nend\n',
  });
  assert.deepEqual(
    base.importsOf('lib/b.ex').map(({ written, target, opens }) => [written, target, opens]),
    [
      ['Shop.Cart', 'lib/a.ex', false],
      ['Shop.Missing', undefined, false],
      ['Shop.Cart', 'lib/a.ex', true],
    ],
  );
});
