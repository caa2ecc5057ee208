import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, isVersion, majorOf, versionMatch } from '../../src/domain/version.ts';

test('versions compare: newer, older, and a release after its pre-releases', () => {
  const sorted = ['1.9.0', '1.10.0', '2.0.0-beta.1', '2.0.0', 'v3'];
  assert.deepEqual([...sorted].reverse().sort(compareVersions), sorted);
});

test('a version may be asked for less precisely', () => {
  assert.ok(isVersion('3.24.1', '3') && isVersion('3.24.1', '3.24') && isVersion('v3.24.1', '3.24.1'));
  assert.ok(!isVersion('4.0.0', '3') && !isVersion('3.24.1', '3.2') && !isVersion('', '3'));
  assert.ok(isVersion('nightly', 'nightly') && !isVersion('nightly', '3'));
});

test('documentation beside what is installed', () => {
  const table = [
    ['4.1.5', '4.1.5', 'same'],
    ['v4.1.5', '4.1.5', 'same'],
    ['4.2.0', '4.1.5', 'compatible'],
    ['4', '4.1.5', 'compatible'],
    ['5.0.0', '4.1.5', 'newer'],
    ['3.24.1', '4.1.5', 'older'],
    ['0.25.1', '0.24.0', 'newer'],
    ['0.25.1', '0.25.9', 'compatible'],
    [undefined, '4.1.5', 'unknown'],
    ['4.1.5', undefined, 'unknown'],
    ['latest', '4.1.5', 'unknown'],
  ] as const;
  for (const [docs, installed, match] of table)
    assert.equal(versionMatch(docs, installed), match, `${docs} beside ${installed}`);
});

test('what a version is called beside others', () => {
  assert.deepEqual(['3.24.1', '0.25.1', 'nightly'].map(majorOf), ['3', '0-25', 'other']);
});
