import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codeName, skipPlain, writtenSmall } from '../../../src/engine/ingest/mention-scan.ts';

test('plain words are stepped over; whatever may name something is not', () => {
  const stops: [string, string][] = [
    ['plain words, and more. Then Names', 'Then Names'],
    ['see the `code` here', '`code` here'],
    ['a [link](x)', '[link](x)'],
    ['go to https://a.example', 'https://a.example'],
    ['call snake_case now', 'snake_case now'],
    ['the useState hook', 'useState hook'],
    ['a dotted.path here', 'dotted.path here'],
    ['über alles', 'über alles'],
    ['version2 of it', 'version2 of it'],
    ["don't well-known and/or end.", ''],
  ];
  for (const [text, rest] of stops) assert.equal(text.slice(skipPlain(text, 0).at), rest, text);
});

test('no capital letter, digit, backtick or bracket is ever stepped over', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '.', ',', '-', "'", '\n', 'A', '7', '`', '[', '_', 'é', '&'),
  });
  fc.assert(
    fc.property(text, (value) => {
      const { at, end } = skipPlain(value, 0);
      assert.doesNotMatch(value.slice(0, at), /[A-Z0-9`[_é]/);
      assert.ok(end <= at && at <= value.length);
    }),
  );
});

test('a small word counts only as a token of its own', () => {
  assert.ok(writtenSmall('the pod runs', 'pod'));
  assert.ok(writtenSmall('a pod.', 'pod'));
  for (const text of ['podman', 'a tripod', 'per-pod', 'pod-name', 'pod.name', 'Pod'])
    assert.ok(!writtenSmall(text, 'pod'), text);
});

test('names in code are words with a change of case or an underscore', () => {
  const names: string[] = [];
  const text = 'const maxPoolSize = HTTPServer(read_file, value, ABC, MAX_SIZE, _x, URLs);';
  for (let at = 0; at < text.length;) {
    const next = codeName(text, at);
    if (next.name) names.push(next.name);
    at = next.at;
  }
  assert.deepEqual(names, ['maxPoolSize', 'HTTPServer', 'read_file', 'MAX_SIZE', 'URLs']);
});
