import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BLOCK_PROFILE } from '../../../../src/domain/chunk.ts';
import type { Definition } from '../../../../src/domain/symbols.ts';
import { analyse } from '../../../../src/engine/text/analyse.ts';

function definition(name: string, start: number, end: number, more: Partial<Definition> = {}): Definition {
  return { name, kind: 'function', path: [], lines: { start, end }, line: start, ...more };
}

function analysed(text: string, definitions: Definition[], profile = BLOCK_PROFILE) {
  const symbols = { language: 'x', definitions, references: [] };
  return analyse({ read: { text, syntax: 'code', symbols }, profile });
}

const body = (lines: number): string => '  some.statement(of, this, body);\n'.repeat(lines);
/** `one`, ten lines; `Two` with two methods of fifty and thirty lines. */
const TEXT = `import x\n\none\n${body(9)}\nTwo\nfirst\n${body(49)}second\n${body(29)}end\n`;
const DEFINITIONS = [
  definition('one', 3, 12),
  definition('Two', 14, 95, { kind: 'class' }),
  definition('first', 15, 64, { kind: 'method', path: ['Two'] }),
  definition('second', 65, 94, { kind: 'method', path: ['Two'] }),
];

describe('source code', () => {
  it('has its definitions for headings, each with the lines it takes', () => {
    const { headings, windows } = analysed(TEXT, DEFINITIONS);
    assert.equal(windows, false);
    assert.deepEqual(
      headings.map(({ path, line, section }) => [path.join('.'), line, section.end]),
      [
        ['one', 3, 12],
        ['Two', 14, 95],
        ['Two.first', 15, 64],
        ['Two.second', 65, 94],
      ],
    );
  });

  it('is cut at definitions, and at lines only where one is too long', () => {
    const { chunks } = analysed(TEXT, DEFINITIONS);
    assert.deepEqual(
      chunks.map(({ startLine, headingPath, defines }) => [startLine, headingPath.join('.'), defines]),
      [
        [1, 'one', ['one']],
        [14, 'Two.first', ['Two', 'first']],
        [chunks[2]!.startLine, 'Two.second', ['second']],
      ],
    );
    for (const { start, end } of chunks) assert.ok(end - start <= BLOCK_PROFILE.size);
  });

  it('loses no line of its text', () => {
    const { chunks } = analysed(TEXT, DEFINITIONS);
    const covered = new Set(
      chunks.flatMap(({ startLine, endLine }) =>
        Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at),
      ),
    );
    const written = TEXT.split('\n').flatMap((line, at) => (line.trim() ? [at + 1] : []));
    assert.deepEqual(
      written.filter((line) => !covered.has(line)),
      [],
    );
  });

  it('bears definitions that overlap, repeat or leave the text', () => {
    const odd = [
      definition('a', 1, 50),
      definition('b', 20, 400),
      definition('c', 20, 30),
      definition('d', 900, 901),
    ];
    const { chunks, headings } = analysed(TEXT, odd);
    assert.deepEqual(
      headings.map(({ text }) => text),
      ['a', 'b'],
    );
    assert.ok(
      chunks.every(
        ({ startLine, endLine }, at) => startLine <= endLine && startLine > (chunks[at - 1]?.endLine ?? 0),
      ),
    );
  });

  it('says what it defines under every strategy', () => {
    const { chunks } = analysed(TEXT, DEFINITIONS, { strategy: 'fixed', size: 1500, overlap: 0 });
    assert.deepEqual(
      chunks.flatMap(({ defines }) => defines),
      ['one', 'Two', 'first', 'second'],
    );
  });

  it('without a definition has windows of lines, and is code all the same', () => {
    const { windows, chunks } = analysed('a = 1\nb = 2\n', []);
    assert.equal(windows, true);
    assert.deepEqual(
      chunks.map(({ defines, headingPath }) => [defines, headingPath]),
      [[[], []]],
    );
  });

  it('does not list fields and constants among its headings, but knows them', () => {
    const { windows, chunks } = analysed('LIMIT = 1\n', [definition('LIMIT', 1, 1, { kind: 'constant' })]);
    assert.equal(windows, true);
    assert.deepEqual(chunks[0]!.defines, ['LIMIT']);
  });

  it('a constructor does not count as the definition of its class', () => {
    const { chunks } = analysed('Box\nBox()\n', [
      definition('Box', 1, 2, { kind: 'class' }),
      definition('Box', 2, 2, { kind: 'method', path: ['Box'] }),
    ]);
    assert.deepEqual(chunks[0]!.defines, ['Box']);
  });

  it('of one long line is cut however many definitions are in it, and each part has its own', () => {
    const names = Array.from({ length: 4_000 }, (_, at) => `f${at}`);
    const { chunks } = analysed(
      names.map((name) => `function ${name}(){}`).join(';'),
      names.map((name) => definition(name, 1, 1)),
    );
    assert.ok(chunks.length > 40);
    assert.ok(chunks.every(({ defines }) => defines!.length < 200));
    const defined = new Set(chunks.flatMap(({ defines }) => defines!));
    assert.ok(names.filter((name) => !defined.has(name)).length <= chunks.length);
  });
});
