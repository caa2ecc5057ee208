import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  codeName,
  isIdentifier,
  skipPlain,
  tokenEnd,
  writtenSmall,
  type Step,
} from '../../../src/engine/ingest/mention-scan.ts';
import { unitsOf } from '../../../src/engine/ingest/units.ts';

function skipped(text: string): Step {
  const step = { at: 0, end: -1 };
  skipPlain(unitsOf(text), text.length, step);
  return step;
}

const NAMES = fc.string({
  unit: fc.constantFrom(..."abzABZ09_.-/&'’ hétp"),
  maxLength: 12,
});

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
  for (const [text, rest] of stops) assert.equal(text.slice(skipped(text).at), rest, text);
});

test('no capital letter, digit, backtick or bracket is ever stepped over', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '.', ',', '-', "'", '\n', 'A', '7', '`', '[', '_', 'é', '&'),
  });
  fc.assert(
    fc.property(text, (value) => {
      const { at, end } = skipped(value);
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

test('a word found by its characters is the one the pattern of words finds', () => {
  const token = /https?:|[\p{L}\p{N}_]+(?:['’.&/-][\p{L}\p{N}_]+)*/uy;
  fc.assert(
    fc.property(NAMES, (value) => {
      const end = tokenEnd(unitsOf(value), value.length, 0);
      if (end === -1) return;
      token.lastIndex = 0;
      assert.equal(token.exec(value)?.[0], value.slice(0, end));
    }),
    { numRuns: 2000 },
  );
});

test('an identifier is told by its characters as by the pattern', () => {
  const pattern = /[\p{Ll}\p{N}]\p{Lu}|\p{L}_\p{L}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{L}\.\p{L}{2}/u;
  fc.assert(
    fc.property(NAMES, (value) => {
      const ascii = value.replaceAll(/[^ -~]/g, '');
      assert.equal(isIdentifier(unitsOf(ascii), 0, ascii.length), pattern.test(ascii), ascii);
    }),
    { numRuns: 5000 },
  );
});
