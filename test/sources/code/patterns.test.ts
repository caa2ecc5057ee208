import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { patternSymbols } from '../../../src/sources/code/patterns.ts';

function found(file: string, text: string): unknown[] {
  return patternSymbols(file, text).definitions.map(({ kind, name, lines }) => [
    kind,
    name,
    lines.start,
    lines.end,
  ]);
}

describe('definitions of languages without a grammar', () => {
  it('go from the comment above to the next', () => {
    const sql =
      '-- Who buys.\ncreate table if not exists "buyers" (\n  id int\n);\n\nCREATE OR REPLACE FUNCTION total() AS 1;\n';
    assert.deepEqual(found('a.sql', sql), [
      ['struct', 'buyers', 1, 5],
      ['function', 'total', 6, 7],
    ]);
  });

  it('are found in schemas, modules and scripts', () => {
    assert.deepEqual(
      found('a.proto', 'message Ask {}\nservice Shop {\n  rpc Buy (Ask) returns (Ask);\n}\n'),
      [
        ['class', 'Ask', 1, 1],
        ['class', 'Shop', 2, 2],
        ['function', 'Buy', 3, 5],
      ],
    );
    assert.deepEqual(found('a.tf', 'resource "aws_s3_bucket" "logs" {\n}\n'), [['struct', 'logs', 1, 3]]);
    assert.deepEqual(found('a.fish', 'greet() {\n}\n'), [['function', 'greet', 1, 3]]);
  });

  it('are not read from sentences', () => {
    assert.deepEqual(found('a.sql', '-- a function that totals\nselect classname from t;\n'), []);
  });
});
