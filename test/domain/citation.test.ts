import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatCitation, parseCitation, targetOf } from '../../src/domain/citation.ts';
import { VaiError } from '../../src/domain/errors.ts';

describe('parseCitation', () => {
  const cases: [string, string, string, { start: number; end: number }[], string?][] = [
    ['bun:304-324', 'bun', '', [{ start: 304, end: 324 }]],
    ['bun:304', 'bun', '', [{ start: 304, end: 304 }]],
    ['bun:304-324@9f3c1a27', 'bun', '', [{ start: 304, end: 324 }], '9f3c1a27'],
    ['handbook/auth/overview.md:12-30', 'handbook', 'auth/overview.md', [{ start: 12, end: 30 }]],
    ['knowledge/https://a.example:8080/x:1-2,9', 'knowledge', 'https://a.example:8080/x', [{ start: 1, end: 2 }, { start: 9, end: 9 }]], // prettier-ignore
    ['bun:L10–L12', 'bun', '', [{ start: 10, end: 12 }]],
    ['bun:10+3', 'bun', '', [{ start: 10, end: 12 }]],
    [' bun : 7 - 9 ', 'bun', '', [{ start: 7, end: 9 }]],
    ['cite: bun:7-9', 'bun', '', [{ start: 7, end: 9 }]],
    ['`bun:7-9`', 'bun', '', [{ start: 7, end: 9 }]],
    ['cite:7-9@97aa4c55', 'cite', '', [{ start: 7, end: 9 }], '97aa4c55'],
    ['cite: cite: 7-9', 'cite', '', [{ start: 7, end: 9 }]],
  ];
  for (const [input, collection, path, ranges, hash] of cases) {
    test(input, () => {
      const parsed = parseCitation(input);
      assert.deepEqual(
        { collection: parsed.collection, path: parsed.path, ranges: parsed.ranges, hash: parsed.hash },
        { collection, path, ranges, hash },
      );
    });
  }

  test('line 0 and reversed ends are accepted, with a notice', () => {
    assert.deepEqual(parseCitation('a:0-3').ranges, [{ start: 1, end: 3 }]);
    assert.deepEqual(parseCitation('a:9-3').ranges, [{ start: 3, end: 9 }]);
    assert.equal(parseCitation('a:0').notices.length, 1);
    assert.equal(parseCitation('a:9-3').notices.length, 1);
  });

  for (const bad of [
    '',
    'bun',
    'bun:',
    ':1-2',
    'bun:x',
    'bun:1-2-3',
    'bun:1,,2',
    '/x:1',
    'bun:99999999999',
    'bun:1+0',
  ]) {
    test(`refuses ${JSON.stringify(bad)}`, () => {
      assert.throws(
        () => parseCitation(bad),
        (error) => error instanceof VaiError && error.code === 'INVALID_CITATION',
      );
    });
  }

  test('any string parses or is refused as a citation, never otherwise', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (input) => {
        try {
          for (const { start, end } of parseCitation(input).ranges) assert.ok(start >= 1 && end >= start);
        } catch (error) {
          assert.ok(error instanceof VaiError && error.code === 'INVALID_CITATION');
        }
      }),
    );
  });
});

test('what is printed is what is parsed', () => {
  const place = fc.record({
    collection: fc.stringMatching(/^[a-z][a-z0-9_.-]{0,10}$/),
    path: fc.oneof(fc.constant(''), fc.stringMatching(/^[a-z][a-z0-9_/:.-]{0,20}[a-z]$/)),
    ranges: fc.array(
      fc
        .tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(99))
        .map(([start, more]) => ({ start, end: start + more })),
      { minLength: 1, maxLength: 4 },
    ),
    hash: fc.option(fc.stringMatching(/^[0-9a-f]{8}$/), { nil: undefined }),
  });
  fc.assert(
    fc.property(place, (citation) => {
      const parsed = parseCitation(formatCitation(citation));
      assert.equal(targetOf(parsed), targetOf(citation));
      assert.deepEqual(parsed.ranges, citation.ranges);
      assert.equal(parsed.hash, citation.hash);
    }),
  );
});
