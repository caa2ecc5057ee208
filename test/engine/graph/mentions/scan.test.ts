import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  codeName,
  codeSpanEnd,
  endsSentence,
  isIdentifier,
  linkEnd,
  skipPlain,
  tokenEnd,
  UNSURE,
  writtenSmall,
  type Step,
} from '../../../../src/engine/graph/mentions/scan.ts';
import { unitsOf } from '../../../../src/domain/units.ts';

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
  const step = { at: 0, end: -1 };
  while (step.at < text.length) {
    codeName(unitsOf(text), text.length, step);
    if (step.end !== -1) names.push(text.slice(step.end, step.at));
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

test('no letter or digit of any script is stepped over', () => {
  for (let code = 128; code < 0xd800; code += 1) {
    const character = String.fromCharCode(code);
    if (/[\p{L}\p{N}]/u.test(character)) assert.equal(skipped(character).at, 0, code.toString(16));
  }
});

const MARKED = fc.string({
  unit: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...'`[]() ab\n’é\u00a0') },
    { weight: 1, arbitrary: fc.constantFrom('a'.repeat(40), 'b '.repeat(75), '😀') },
  ),
  maxLength: 16,
});

test('code spans end where the pattern ends them', () => {
  const pattern = /`([^`\n]{1,80})`/uy;
  fc.assert(
    fc.property(MARKED, (value) => {
      const text = `\`${value}`;
      const end = codeSpanEnd(unitsOf(text), text.length, 0);
      if (end === UNSURE) return assert.match(value, /😀/u);
      pattern.lastIndex = 0;
      assert.equal(end, (pattern.exec(text)?.[0].length ?? 0) - 1);
    }),
    { numRuns: 3000 },
  );
});

test('links have the label and the target of the pattern', () => {
  const pattern = /\[([^\]\n]{1,120})\]\(([^()\s]{1,300})[^)\n]{0,200}\)/uy;
  const text = fc
    .tuple(MARKED, MARKED, fc.constantFrom(')', ' "t")', '\n)', ' (x))', ''))
    .map(([label, target, rest]) => `[${label}](${target}${rest} and more`);
  fc.assert(
    fc.property(text, (value) => {
      const step = { at: 0, end: -1 };
      const end = linkEnd(unitsOf(value), value.length, 0, step);
      if (end === UNSURE) return assert.match(value, /😀/u);
      pattern.lastIndex = 0;
      const match = pattern.exec(value);
      assert.equal(end, match ? match[0].length : -1);
      if (!match) return;
      assert.equal(value.slice(1, step.end), match[1]);
      assert.equal(value.slice(step.end + 2, step.at), match[2]);
    }),
    { numRuns: 5000 },
  );
});

test('a sentence ends where the pattern says', () => {
  const pattern = /[.!?:;|•#>*]|\n\s*(?:\n|[-+\d])/;
  const gap = fc.string({ unit: fc.constantFrom(...' ,.\n\n\t-+7•)\u00a0|'), maxLength: 8 });
  fc.assert(
    fc.property(gap, (value) => {
      assert.equal(endsSentence(unitsOf(value), 0, value.length), pattern.test(value), JSON.stringify(value));
    }),
    { numRuns: 5000 },
  );
});
