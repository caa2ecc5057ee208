// What stands above a definition and belongs to it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commentStart } from '../../../src/sources/code/comments.ts';
import { symbolsOf } from '../../../src/sources/code/symbols.ts';

/** The lines above the last one that belong to it. */
function above(...lines: string[]): string[] {
  return lines.slice(commentStart(lines, lines.length, 1) - 1, -1);
}

describe('what belongs to a definition', () => {
  it('is its comment, its attributes, and lines in which an attribute goes on', () => {
    assert.deepEqual(above('x = 1', '// Sums.', '@pure', 'def f'), ['// Sums.', '@pure']);
    assert.deepEqual(above('x = 1', '@route(', '    "/x",', ')', 'def f'), ['@route(', '    "/x",', ')']);
    assert.deepEqual(above('@x', 'f()', 'def f'), []);
    assert.deepEqual(above('    @Inject', '    Foo foo;', '    void bar()'), [], 'of a field');
    assert.deepEqual(above('@x(', ...Array<string>(20).fill('    1,'), ')', 'def f'), []);
  });

  it('is the text of an attribute, as Elixir writes documentation', () => {
    const text = ['  @doc """', '  Sums numbers.', '', '      iex> sum([1])', '  """'];
    assert.deepEqual(above('  end', '', ...text, '  def sum(list)'), text);
    assert.deepEqual(above(...text, '  @spec sum(list) ::', '          number', '  def sum(list)'), [
      ...text,
      '  @spec sum(list) ::',
      '          number',
    ]);
  });

  it('is not the text of what stands around it', () => {
    assert.deepEqual(above('class A:', '    """A class', '    of its own.', '    """', '    def f():'), [
      '    """',
    ]);
  });
});

it('callbacks and types of Elixir are definitions', async () => {
  const text = [
    'defmodule Shop do',
    '  @type price :: integer',
    '  @type of(item) :: {item, price}',
    '  @doc "Pays."',
    '  @callback pay(price, keyword) :: :ok when price: term',
    '  @macrocallback close() :: Macro.t()',
    '  @timeout 5',
    'end',
  ];
  const { definitions } = (await symbolsOf('shop.ex', text.join('\n')))!;
  assert.deepEqual(
    definitions.map(({ name, kind, lines }) => [name, kind, lines.start]),
    [
      ['Shop', 'module', 1],
      ['price', 'type', 2],
      ['of', 'type', 3],
      ['pay', 'function', 4],
      ['close', 'function', 6],
    ],
  );
});
