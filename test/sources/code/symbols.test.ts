import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Symbols } from '../../../src/domain/symbols.ts';
import { symbolsOf } from '../../../src/sources/code/symbols.ts';
import { SAMPLES } from './samples.ts';

async function parsed(file: string, text: string): Promise<Symbols> {
  const symbols = await symbolsOf(file, text);
  assert.ok(symbols);
  return symbols;
}

describe('what a source text defines and names', () => {
  for (const { file, text, defines, names } of SAMPLES) {
    it(`in ${file}`, async () => {
      const { definitions, references } = await parsed(file, text);
      assert.deepEqual(
        definitions.map(({ kind, path, name, line }) => `${kind} ${[...path, name].join('.')} ${line}`),
        defines,
      );
      assert.deepEqual(
        references.map(({ kind, name }) => `${kind} ${name}`),
        names,
      );
    });
  }

  it('a definition begins with its comment and its decorators', async () => {
    const text = `import x\n\n# Says hello.\n# To whom it may concern.\n@cached\ndef hello():\n    pass\n`;
    const { definitions } = await parsed('a.py', text);
    assert.deepEqual(definitions[0], {
      name: 'hello',
      kind: 'function',
      path: [],
      lines: { start: 3, end: 7 },
      line: 6,
    });
  });

  it('the comment of the first member stays inside what it belongs to', async () => {
    const { definitions } = await parsed('a.ts', '// about A\nclass A {\n  // about b\n  b() {}\n}\n');
    assert.deepEqual(
      definitions.map(({ name, lines }) => [name, lines.start, lines.end]),
      [
        ['A', 1, 5],
        ['b', 3, 4],
      ],
    );
  });

  it('names of one declaration stand beside each other, however many', async () => {
    const { definitions } = await parsed('A.java', 'class A { int a, b, c; }\n');
    assert.deepEqual(
      definitions.map(({ path, name }) => [...path, name].join('.')),
      ['A', 'A.a', 'A.b', 'A.c'],
    );
    const names = Array.from({ length: 8_000 }, (_, at) => `name${at}`);
    const many = await parsed('A.java', `class A { int ${names.join(', ')}; }\n`);
    assert.ok(many.definitions.every(({ path }) => path.length <= 1));
  });

  it('definitions deep inside each other take linear memory', async () => {
    const deep = await parsed('A.java', `${'class A { '.repeat(4_000)}${'}'.repeat(4_000)}\n`);
    assert.ok(deep.definitions.every(({ path }) => path.length < 100));
  });

  it('a reference says in which definition it stands, and on what it is called', async () => {
    const { references } = await parsed('a.js', 'start();\nfunction f() { this.http.get(1); }\n');
    assert.deepEqual(references, [
      { kind: 'call', name: 'start', line: 1 },
      { kind: 'call', name: 'get', on: 'this.http', line: 2, within: 0 },
    ]);
  });

  it('reads the script of a page at its own lines', async () => {
    const vue = '<template>\n  <b/>\n</template>\n<script setup lang="ts">\nfunction save() {}\n</script>\n';
    const { definitions, language } = await parsed('a.vue', vue);
    assert.equal(language, 'vue');
    assert.deepEqual(
      definitions.map(({ name, line }) => [name, line]),
      [['save', 5]],
    );
  });

  it('says what only its own file may name', async () => {
    for (const [file, text] of [
      ['a.kt', 'private fun a() {}\nfun b() {}\n'],
      ['a.swift', 'fileprivate func a() {}\nfunc b() {}\n'],
      ['A.java', 'class A {\n  @Deprecated private static void a() {}\n  void b() {}\n}\n'],
      ['a.ts', 'class A {\n  private a() {}\n  b() {}\n}\n'],
      ['a.ex', 'defmodule A do\n  defp a(x), do: x\n  def b(x), do: x\nend\n'],
      ['a.scala', 'object A {\n  private def a = 1\n  private[shop] def b = 1\n}\n'],
      ['a.swift', 'class B {\n  private var a = 1\n  public private(set) var b = 1\n}\n'],
      ['B.java', 'class B {\n  private void a() {}\n  @Note("a private one")\n  public void b() {}\n}\n'],
      ['b.ts', 'class B {\n  private a() {}\n  @Get({ private: true })\n  b() {}\n}\n'],
      ['a.c', 'typedef struct { int private; } B;\n'],
    ] as const) {
      const { definitions } = await parsed(file, text);
      const hidden = definitions.filter((one) => one.private).map(({ name }) => name);
      assert.deepEqual(hidden, file === 'a.c' ? [] : ['a'], file);
    }
  });

  it('a header is C or C++ by what it says', async () => {
    assert.equal((await parsed('a.h', 'int f(void);\n')).language, 'c');
    assert.equal((await parsed('a.h', 'namespace a { class B {}; }\n')).language, 'cpp');
  });

  it('still sees what is whole in a broken text', async () => {
    const { definitions } = await parsed(
      'a.py',
      'def good():\n    return 1\n\ndef (((\n\nclass Fine:\n    pass\n',
    );
    const names = definitions.map(({ name }) => name);
    assert.ok(names.includes('good') && names.includes('Fine'), String(names));
  });

  it('gives up on what is too long or has no grammar', async () => {
    assert.equal(await symbolsOf('a.js', `var a = "${'x'.repeat(1_000_000)}";`), undefined);
    assert.equal(await symbolsOf('a.sql', 'select 1'), undefined);
  });

  it('gives up in time on deep nesting, and goes on with the next text', async () => {
    await symbolsOf('a.js', '['.repeat(400_000));
    const { definitions } = await parsed('a.js', 'function after() {}');
    assert.equal(definitions[0]?.name, 'after');
  });
});
