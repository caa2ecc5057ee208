import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexLines, lineAt, sliceLines } from '../../src/domain/lines.ts';

test('line ends: LF, CRLF, none at the end', () => {
  assert.equal(indexLines('').count, 0);
  assert.equal(indexLines('a').count, 1);
  assert.equal(indexLines('a\n').count, 1);
  assert.equal(indexLines('a\n\n').count, 2);
  assert.equal(sliceLines('a\r\nb\r\nc', { start: 1, end: 2 }), 'a\r\nb');
  assert.equal(sliceLines('a\nb\n', { start: 2, end: 9 }), 'b');
  assert.equal(sliceLines('a\nb\n', { start: 5, end: 9 }), '');
});

test('slices put together give the text back, and every offset lies in its line', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\n', '\r\n', '\t') });
  fc.assert(
    fc.property(text, (value) => {
      const index = indexLines(value);
      const lines = Array.from({ length: index.count }, (_, at) =>
        sliceLines(value, { start: at + 1, end: at + 1 }, index),
      );
      assert.equal(lines.join('\n'), value.replaceAll('\r\n', '\n').replace(/\n$/, ''));
      for (let offset = 0; offset < value.length; offset++) {
        const line = lineAt(index, offset);
        assert.ok(index.starts[line - 1]! <= offset && (index.starts[line] ?? Infinity) > offset);
      }
    }),
  );
});
