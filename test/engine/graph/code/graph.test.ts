// What code states: imports, definitions, calls, supertypes, followed only where the text tells where they lead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeGraph } from '../../../../src/engine/graph/code/graph.ts';
import { importResolver } from '../../../../src/engine/graph/code/imports.ts';
import { symbolsOf } from '../../../../src/sources/code/symbols.ts';

const filesOf = (files: Record<string, string>) =>
  Promise.all(
    Object.entries(files).map(async ([path, text]) => ({ path, symbols: (await symbolsOf(path, text))! })),
  );

async function stated(files: Record<string, string>): Promise<string[]> {
  return [...codeGraph(await filesOf(files), 'repo')].flatMap(([path, { relations }]) =>
    relations.map(
      ({ source, type, target, startLine }) => `${source} ${type} ${target} ${path}:${startLine}`,
    ),
  );
}

const has = (found: readonly string[], ...wanted: string[]): void => {
  for (const one of wanted) assert.ok(found.includes(one), `${one}\n${found.join('\n')}`);
};

test('TypeScript: relative imports, re-exports, classes, methods and calls through them', async () => {
  const found = await stated({
    'src/index.ts': "export * from './store.ts';\nexport { loadConfig } from './config.ts';\n",
    'src/config.ts': 'export function loadConfig() {\n  return readText();\n}\nfunction readText() {}\n',
    'src/store.ts':
      "import { loadConfig } from './config.js';\nexport class BaseStore {\n  openFile() {}\n}\nexport class FileStore extends BaseStore {\n  start() {\n    loadConfig();\n    this.openFile();\n    this.helper();\n  }\n  private helper() {}\n}\n",
    'src/app.ts':
      "import { FileStore, loadConfig } from './index.ts';\nimport fs from 'node:fs';\nexport function runApp() {\n  const store = new FileStore();\n  loadConfig.call(store);\n  [].map(() => loadConfig());\n  console.log(fs);\n}\n",
  });
  has(
    found,
    'src/app.ts IMPORTS src/index.ts src/app.ts:1',
    'src/app.ts IMPORTS node:fs src/app.ts:2',
    'src/index.ts IMPORTS src/store.ts src/index.ts:1',
    'src/app.ts DEFINES runApp src/app.ts:3',
    'runApp CALLS FileStore src/app.ts:4',
    'runApp CALLS loadConfig src/app.ts:5',
    'runApp CALLS loadConfig src/app.ts:6',
    'FileStore EXTENDS BaseStore src/store.ts:5',
    'FileStore DEFINES FileStore.start src/store.ts:6',
    'FileStore.start CALLS loadConfig src/store.ts:7',
    'FileStore.start CALLS BaseStore.openFile src/store.ts:8',
    'FileStore.start CALLS FileStore.helper src/store.ts:9',
    'loadConfig CALLS readText src/config.ts:2',
  );
  assert.ok(!found.some((one) => / CALLS .*\b(?:map|log)\b/.test(one)), 'built-in methods lead nowhere');
});

test('Python: packages, relative imports, modules by name, constructors', async () => {
  const found = await stated({
    'src/web/__init__.py': 'from .api import get\n',
    'src/web/api.py': 'from . import sessions\n\ndef get(url):\n    return sessions.Session().request(url)\n',
    'src/web/sessions.py':
      'from web.tools import merge_setting\n\nclass Session:\n    def __init__(self):\n        self.limit = merge_setting(1)\n\n    def request(self, url):\n        return self.limit\n',
    'src/web/tools.py': 'import os\n\ndef merge_setting(value):\n    print(value)\n',
    'tests/test_web.py': 'import web\n\ndef test_get():\n    web.get("x")\n',
  });
  has(
    found,
    'api.get CALLS sessions.Session src/web/api.py:4',
    'api.get CALLS Session.__init__ src/web/api.py:4',
    'Session.__init__ CALLS merge_setting src/web/sessions.py:5',
    'src/web/sessions.py IMPORTS src/web/tools.py src/web/sessions.py:1',
    'src/web/__init__.py IMPORTS src/web/api.py src/web/__init__.py:1',
    'src/web/tools.py IMPORTS os src/web/tools.py:1',
    'tests/test_web.py IMPORTS src/web/__init__.py tests/test_web.py:1',
    'test_get CALLS api.get tests/test_web.py:4',
  );
});

test('Go: a folder is a package; its files see each other, the receiver is told by its name', async () => {
  const found = await stated({
    'engine.go':
      'package gin\n\nimport (\n\t"fmt"\n\t"github.com/x/gin/render"\n)\n\nfunc (engine *Engine) Serve() {\n\tengine.handle()\n\tcleanPath("a")\n\trender.WriteJSON()\n\tfmt.Println("x")\n}\n\nfunc (engine *Engine) handle() {}\n\ntype Engine struct{}\n',
    'path.go': 'package gin\n\nfunc cleanPath(p string) string { return p }\n',
    'render/json.go': 'package render\n\nfunc WriteJSON() {}\n',
  });
  has(
    found,
    'repo IMPORTS render engine.go:5',
    'repo IMPORTS fmt engine.go:4',
    'Engine.Serve CALLS Engine.handle engine.go:9',
    'Engine.Serve CALLS cleanPath engine.go:10',
    'Engine.Serve CALLS WriteJSON engine.go:11',
  );
});

test('a type inside another is told by the one it is written with', async () => {
  const found = await stated({
    'net/Call.kt': 'package net\ninterface Call {\n  fun interface Factory {\n    fun make(): Call\n  }\n}\n',
    'net/Socket.kt': 'package net\ninterface Socket {\n  interface Factory\n}\n',
    'net/Client.kt': 'package net\nclass Client : Call.Factory, Socket.Factory, Other.Factory\n',
    'shop/Map.java': 'package shop;\ninterface Map {\n  interface Entry {}\n}\n',
    'shop/Pair.java': 'package shop;\nclass Pair implements Map.Entry {}\n',
  });
  assert.deepEqual(
    found.filter((one) => one.includes(' IMPLEMENTS ')),
    [
      'Client.Client IMPLEMENTS Call.Factory net/Client.kt:2',
      'Client.Client IMPLEMENTS Socket.Factory net/Client.kt:2',
      'Pair.Pair IMPLEMENTS Map.Entry shop/Pair.java:2',
    ],
  );
});

test('what the text does not tell is left out: two definitions of a name, a variable of unknown type', async () => {
  const found = await stated({
    'a.py': 'def send_mail():\n    pass\n',
    'b.py': 'def send_mail():\n    pass\n',
    'c.py': 'from a import *\nfrom b import *\n\ndef work(client):\n    send_mail()\n    client.send()\n',
    'd.py': 'class Mailer:\n    def send(self):\n        pass\n',
  });
  assert.deepEqual(
    found.filter((one) => one.includes(' CALLS ')),
    [],
  );
});

test('overloads, clauses and what a package declares and defines are one thing, also for tests of the package', async () => {
  const found = await stated({
    'src/main/java/shop/Cart.java':
      'package shop;\nclass Cart {\n  void put(int id) { put(id, 1); }\n  void put(int id, int times) { note(); }\n  void note() {}\n}\n',
    'src/test/java/shop/CartTest.java':
      'package shop;\nclass CartTest {\n  void fills() { new Cart(); }\n}\n',
    'io/src/commonMain/kotlin/io/Pool.kt': 'package io\nexpect object Pool {\n  fun recycle()\n}\n',
    'io/src/jvmMain/kotlin/io/Pool.kt': 'package io\nactual object Pool {\n  actual fun recycle() {}\n}\n',
    'io/src/jvmTest/kotlin/io/PoolTest.kt':
      'package io\nclass PoolTest {\n  fun works() { Pool.recycle() }\n}\n',
  });
  has(
    found,
    'Cart.Cart DEFINES Cart.put src/main/java/shop/Cart.java:3',
    'Cart.put CALLS Cart.note src/main/java/shop/Cart.java:4',
    'CartTest.fills CALLS Cart.Cart src/test/java/shop/CartTest.java:3',
    'Pool.Pool DEFINES Pool.recycle io/src/commonMain/kotlin/io/Pool.kt:3',
    'Pool.Pool DEFINES Pool.recycle io/src/jvmMain/kotlin/io/Pool.kt:3',
    'PoolTest.works CALLS Pool.recycle io/src/jvmTest/kotlin/io/PoolTest.kt:3',
  );
  assert.ok(!found.some((one) => one.includes('(')), found.join('\n'));
});

test('what is private or inside another type is not seen from elsewhere; what tests define, by tests', async () => {
  const found = await stated({
    'src/main/kotlin/io/Handle.kt':
      'package io\nclass Handle {\n  fun size() = 1.toLong()\n  private fun Int.toLong() = 1L\n  fun reopen() {}\n}\n',
    'src/main/kotlin/io/Pipe.kt': 'package io\nclass Pipe\nfun count(a: Int) = a.toLong()\n',
    'src/main/kotlin/io/Files.kt':
      'package io\nfun open(x: Any) {\n  Disk.reopen()\n  x.reopen()\n  x.checkAll()\n}\n',
    'src/test/kotlin/io/SourceTest.kt':
      'package io\nclass SourceTest {\n  class Pipe\n  fun checkAll() {}\n  fun own() { Pipe() }\n}\n',
    'src/test/kotlin/io/OtherTest.kt':
      'package io\nfun other(x: SourceTest) {\n  Pipe()\n  x.checkAll()\n}\n',
    'db/Map.cs': 'partial class Map {\n  private class Table { }\n}\n',
    'db/Map.Read.cs': 'partial class Map {\n  void Read() { new Table(); }\n}\n',
    'db/Other.cs': 'class Other {\n  void Read() { new Table(); }\n}\n',
  });
  assert.deepEqual(
    found.filter((one) => one.includes(' CALLS ')),
    [
      'Handle.size CALLS Handle.toLong src/main/kotlin/io/Handle.kt:3',
      'Files.open CALLS Handle.reopen src/main/kotlin/io/Files.kt:4',
      'SourceTest.own CALLS SourceTest.Pipe src/test/kotlin/io/SourceTest.kt:5',
      'OtherTest.other CALLS Pipe.Pipe src/test/kotlin/io/OtherTest.kt:3',
      'OtherTest.other CALLS SourceTest.checkAll src/test/kotlin/io/OtherTest.kt:4',
      'Map.Read CALLS Map.Table db/Map.Read.cs:2',
    ],
  );
});

test('Elixir: modules, clauses, and calls that name a module, an alias or what is imported', async () => {
  const found = await stated({
    'lib/changeset.ex':
      'defmodule Shop.Changeset do\n  def cast(a), do: cast(a, 1)\n  def cast(a, b) do\n    check(a)\n    inspect(b)\n  end\n  defp check(a), do: Macro.to_string(a)\n  defmodule Part do\n    def make(a), do: a\n  end\n  def build(a), do: Part.make(a)\nend\n',
    'lib/multi.ex':
      'defmodule Shop.Multi do\n  alias Shop.Changeset\n  def inspect(a), do: Changeset.cast(a)\n  def run(a), do: __MODULE__.inspect(a)\nend\ndefimpl Inspect, for: Shop.Multi do\n  def to_string(a), do: a\nend\n',
    'lib/app.ex':
      'defmodule Shop.App do\n  import Shop.Changeset\n  alias Shop.{Multi, Other}\n  def start(a) do\n    cast(a)\n    check(a)\n    Multi.run(a)\n    Shop.Multi.run(a)\n    inspect(a)\n    Kernel.inspect(a)\n  end\nend\n',
  });
  has(
    found,
    'lib/changeset.ex DEFINES Shop.Changeset lib/changeset.ex:1',
    'Shop.Changeset DEFINES Shop.Changeset.cast lib/changeset.ex:2',
    'Shop.Changeset DEFINES Shop.Changeset.cast lib/changeset.ex:3',
    'Shop.Changeset DEFINES Shop.Changeset.Part lib/changeset.ex:8',
    'lib/app.ex IMPORTS lib/multi.ex lib/app.ex:3',
  );
  assert.deepEqual(
    found.filter((one) => one.includes(' CALLS ')),
    [
      'Shop.Changeset.cast CALLS Shop.Changeset.check lib/changeset.ex:4',
      'Shop.Changeset.build CALLS Shop.Changeset.Part.make lib/changeset.ex:11',
      'Shop.Multi.inspect CALLS Shop.Changeset.cast lib/multi.ex:3',
      'Shop.Multi.run CALLS Shop.Multi.inspect lib/multi.ex:4',
      'Shop.App.start CALLS Shop.Changeset.cast lib/app.ex:5',
      'Shop.App.start CALLS Shop.Multi.run lib/app.ex:7',
      'Shop.App.start CALLS Shop.Multi.run lib/app.ex:8',
    ],
  );
});

test('imports are followed by path, never to one of two files that fit equally', () => {
  const resolve = importResolver([
    'lib/sinatra/base.rb',
    'a/util/text.h',
    'b/util/text.h',
    'src/main/java/org/shop/Cart.java',
    'core/src/extract/mod.rs',
    'web/button/index.tsx',
    'web/page.tsx',
  ]);
  const to = (from: string, language: string, name: string) => resolve({ from, language, name });
  assert.equal(to('lib/sinatra.rb', 'ruby', 'sinatra/base'), 'lib/sinatra/base.rb');
  assert.equal(to('c/x.c', 'c', 'util/text.h'), undefined);
  assert.equal(to('a/x.c', 'c', 'util/text.h'), 'a/util/text.h');
  assert.equal(to('X.java', 'java', 'org.shop.Cart'), 'src/main/java/org/shop/Cart.java');
  assert.equal(to('core/src/lib.rs', 'rust', 'crate::extract::{Path, Query}'), 'core/src/extract/mod.rs');
  assert.equal(to('web/page.tsx', 'typescript', './button'), 'web/button/index.tsx');
  assert.equal(to('web/page.tsx', 'typescript', 'react'), undefined);
});

test('a class that is called runs its constructor, not a method that is called like one elsewhere', async () => {
  const found = await stated({
    'Cart.java':
      'class Cart {\n  void init() {}\n  Cart() {}\n}\nclass Shop {\n  void open() {\n    new Cart();\n  }\n}\n',
  });
  has(found, 'Shop.open CALLS Cart.Cart (Cart.java) Cart.java:7');
  assert.ok(!found.includes('Shop.open CALLS Cart.init Cart.java:7'));
});

const LONG: Record<string, (count: number) => Record<string, string>> = {
  'methods of one name': (count) => ({ 'a.js': `class A {\n${'f() { f() }\n'.repeat(count)}}\n` }),
  'calls of what is inherited': (count) => ({
    'a.py': `class A(B):\n  def f(self):\n${'    self.g()\n'.repeat(count)}def g(): pass\n`,
  }),
  'calls of a class with many methods': (count) => ({
    'a.py': `class A:\n${'  def f(self): pass\n'.repeat(count)}def g():\n${'  A()\n'.repeat(count)}`,
  }),
  'calls through a file that hands on many': (count) => ({
    'index.ts': Array.from({ length: count / 20 }, (_, at) => `export * from './m${at}.ts';\n`).join(''),
    ...Object.fromEntries(
      Array.from({ length: count / 20 }, (_, at) => [`m${at}.ts`, `export function f${at}() {}\n`]),
    ),
    'app.ts': `import * as all from './index.ts';\n${'f1();\n'.repeat(count)}`,
  }),
};

for (const [what, files] of Object.entries(LONG))
  test(`${what} are followed in linear time`, async () => {
    const spent = async (count: number): Promise<number> => {
      const read = await filesOf(files(count));
      const before = process.cpuUsage();
      codeGraph(read, 'repo');
      return process.cpuUsage(before).user;
    };
    await spent(500);
    const [short, long] = [await spent(1_000), await spent(10_000)];
    assert.ok(long < Math.max(short, 5_000) * 30, `${short} µs, then ${long} µs`);
  });
