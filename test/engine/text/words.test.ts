import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { wordVariants } from '../../../src/domain/variants.ts';
import { extraWords } from '../../../src/engine/text/words.ts';

describe('extraWords', () => {
  const cases: [string, string][] = [
    ['plain prose stays as it is.', ''],
    ['call useState now', 'use state'],
    ['snake_case', 'snakecase'],
    ['HTTPServer and XMLHttpRequest', 'http server xml http request'],
    ['fs.readFile', 'fs read file'],
    ['res.end() v18.2.0', ''],
    ['--dry-run', 'dryrun'],
    ['MAX_RETRY_COUNT', 'maxretrycount'],
    ['my_camelCase', 'mycamelcase my camel case'],
    ['useState, useState', 'use state'],
    ['src/engine/useThing.ts', 'use thing ts'],
    ['URLs and IDs', ''],
    ['1.2.3', ''],
    ['v2-beta x-2y', 'v2beta'],
    ['a-b-c-d-e-f-g', ''],
    ['get_URLFor/my-page', 'geturlfor get url for mypage'],
    ['日本語', '日本 本語'],
    ['React入门', 'react 入门'],
    ['Größe der Übung', 'groesse uebung'],
    ['u\u0308ber', 'ueber'],
    ['The end.', ''],
    ['', ''],
  ];
  for (const [text, words] of cases)
    it(`adds "${words}" to "${text}"`, () => assert.equal(extraWords(text), words));

  it('makes every variant of an identifier findable in a text that writes it differently', () => {
    const spellings = ['useState', 'use_state', 'use-state', 'use.state'];
    for (const searched of spellings)
      for (const written of spellings) {
        const indexed = ` ${`${written} ${extraWords(written)}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')} `;
        const found = wordVariants(searched).some((variant) => {
          const words = 'phrase' in variant ? variant.phrase : variant.all;
          return indexed.includes(
            ` ${words
              .join(' ')
              .toLowerCase()
              .replaceAll(/[^a-z0-9]+/g, ' ')} `,
          );
        });
        assert.ok(found, `${searched} does not find ${written}`);
      }
  });

  it('takes any text, in bounded size', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void extraWords(text)));
    for (const part of ['aB', 'a_', 'ä', '日', 'a.b', '/a', 'A']) {
      const text = part.repeat(300_000);
      assert.ok(extraWords(text).length <= text.length * 4, part);
    }
  });
});
