import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitIdentifier, wordVariants } from '../../src/domain/variants.ts';

describe('wordVariants', () => {
  const cases: [string, unknown[]][] = [
    ['hooks', [{ phrase: ['hooks'] }]],
    ['HTTP', [{ phrase: ['HTTP'] }]],
    ['HTTPServer', [{ phrase: ['HTTPServer'] }, { phrase: ['http', 'server'] }]],
    ['useState', [{ phrase: ['useState'] }, { phrase: ['use', 'state'] }]],
    ['use_state', [{ phrase: ['use_state'] }, { phrase: ['usestate'] }]],
    ['Größe', [{ phrase: ['Größe'] }, { phrase: ['groesse'] }]],
    ['日本語', [{ phrase: ['日本語'] }, { all: ['日本', '本語'] }]],
    ['React入门', [{ phrase: ['React入门'] }, { all: ['入门', 'React'] }]],
  ];
  for (const [word, variants] of cases)
    it(`finds ${word} in its other spellings`, () => assert.deepEqual(wordVariants(word), variants));

  it('takes identifiers apart', () => {
    assert.deepEqual(splitIdentifier('XMLHttpRequest2.sendAll_now'), [
      'xml',
      'http',
      'request2',
      'send',
      'all',
      'now',
    ]);
  });
});
