import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keysInEnvFile, parseEnv, readEnvFiles, withVariables } from '../../src/config/env-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = tempFolder('env');

function folder(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(path);
  writeFileSync(join(path, '.env'), text);
  return path;
}

test('lines are read as a shell would write them', () => {
  const text = [
    '\uFEFFA=1',
    'export B = two words # a comment',
    "C='it # stays' # gone",
    'D="a"b"',
    'E=#not a comment',
    'F=',
    '=none',
    '1BAD=x',
    'no equals',
    '# G=1',
    'H="open',
    'I=a=b',
    'A=again',
    'J="" # an "empty" one',
    'K="',
    'L="a"b',
  ].join('\r\n');
  assert.deepEqual(Object.fromEntries(parseEnv(text)), {
    A: 'again',
    B: 'two words',
    C: 'it # stays',
    D: 'a"b',
    E: '#not a comment',
    F: '',
    H: '"open',
    I: 'a=b',
    J: '',
    K: '"',
    L: '"a"b',
  });
});

test('only keys of providers are taken, and what is set already wins', () => {
  const first = folder('first', 'GEMINI_API_KEY=one\nPATH=/bad\nNODE_OPTIONS=--bad\n');
  const second = folder('second', 'GEMINI_API_KEY=two\nAWS_REGION=eu-west-1\n');
  assert.deepEqual(readEnvFiles([first, second], {}), { GEMINI_API_KEY: 'one', AWS_REGION: 'eu-west-1' });
  assert.equal(readEnvFiles([first], { GEMINI_API_KEY: 'set' }).GEMINI_API_KEY, 'set');
  assert.equal(readEnvFiles([first], { GEMINI_API_KEY: '' }).GEMINI_API_KEY, 'one');
  assert.deepEqual(keysInEnvFile(first), ['GEMINI_API_KEY']);
  assert.deepEqual(readEnvFiles([join(root, 'absent')], { A: 'b' }), { A: 'b' });
});

test('a file that is too large, or not a regular file, is ignored', () => {
  const line = 'GEMINI_API_KEY=x\n';
  const fits = folder('fits', line + '#'.repeat(100_000 - line.length));
  assert.deepEqual(keysInEnvFile(fits), ['GEMINI_API_KEY']);
  const large = folder('large', line + '#'.repeat(100_001 - line.length));
  assert.deepEqual(keysInEnvFile(large), []);
  mkdirSync(join(root, 'odd', '.env'), { recursive: true });
  assert.deepEqual(keysInEnvFile(join(root, 'odd')), []);
});

test('variables fill in settings of providers that are not set', () => {
  const env = { GEMINI_API_KEY: 'from env' };
  assert.equal(withVariables({}, env).gemini!.apiKey, 'from env');
  assert.equal(withVariables({ gemini: { apiKey: 'own' } }, env).gemini!.apiKey, 'own');
  assert.equal(withVariables({}, { GEMINI_API_KEY: '' }).gemini!.apiKey, undefined);
});
