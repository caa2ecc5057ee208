// What is wrong with a file of settings is told by file and line, and nothing of its content.

import assert from 'node:assert/strict';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lineOfError, lineOfKey, readJsonObject } from '../../src/config/json-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('json');

const file = join(folder, 'config.json');
const read = (text: string, maxBytes?: number) => {
  writeFileSync(file, text);
  return readJsonObject(file, '~/config.json', maxBytes);
};

test('an object is read, with a byte order mark or without; a file that is not there is none', () => {
  assert.deepEqual(read('{"a": 1}'), { a: 1 });
  assert.deepEqual(read('\ufeff{"a": 1}'), { a: 1 });
  assert.equal(readJsonObject(join(folder, 'none.json'), 'none'), undefined);
  assert.equal(readJsonObject(join(file, 'inside.json'), 'inside'), undefined);
});

test('it may be as large as the limit, and no larger', () => {
  const text = '{"a": "long"}';
  assert.deepEqual(read(text, text.length), { a: 'long' });
  assert.throws(() => read(text, text.length - 1), { code: 'CONFIG_INVALID', message: /is larger than/ });
});

test('anything but a file with a JSON object is refused without quoting it', () => {
  for (const text of ['[]', '1', '"secret"', 'null'])
    assert.throws(() => read(text), {
      message: 'The file ~/config.json must contain one JSON object (line 1).',
    });
  assert.throws(() => read('{\n"a": 1,\n"secret"\n}'), {
    message: 'The file ~/config.json is not valid JSON (line 4).',
  });
  assert.throws(() => readJsonObject(folder, '~/folder'), {
    message: 'The file ~/folder is not a regular file.',
  });
});

test('the limit is told in megabytes', () => {
  assert.throws(() => read(' '.repeat(2_000_001), 2_000_000), { message: /is larger than 2 MB/ });
  truncateSync(file, 64_000_001);
  assert.throws(() => readJsonObject(file, '~/config.json'), { message: /is larger than 64 MB/ });
});

test('no file stays open', { skip: process.platform !== 'linux' }, () => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  for (let count = 0; count < 50; count += 1) read('{}');
  for (let count = 0; count < 50; count += 1) assert.throws(() => read('{}', 1));
  assert.ok(open() < before + 50);
});

test('the line of the first error, or the last one of a text that ends too early', () => {
  const broken: [string, number][] = [
    ['\n{x', 2],
    ['{\n"a" 1}', 2],
    ['{\n"a": 1\n"b": 2}', 3],
    ['{"a": 1,\n}', 2],
    ['{"a": 1}\n{}', 2],
    ['{\n1: 2}', 2],
    ['{\n\n  "a": tru\n}', 3],
    ['{"a": "b\nc"}\n%', 1],
    ['', 1],
    ['{\n"a": 1,\n  ', 2],
    ['['.repeat(100_000), 1],
  ];
  for (const [text, line] of broken) {
    assert.throws(() => JSON.parse(text), SyntaxError, text.slice(0, 40));
    assert.equal(lineOfError(text), line, JSON.stringify(text.slice(0, 40)));
  }
});

test('the line of a key', () => {
  assert.equal(lineOfKey('{\n  "a": 1,\n  "b": 2\n}', 'b'), 3);
  assert.equal(lineOfKey('{\n\n}', 'b'), 1);
});
