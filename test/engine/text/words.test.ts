import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
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

/** The same for ASCII by patterns, slowly: what the pass over character codes must give. */
function byPatterns(text: string): string {
  const words: string[] = [];
  const seen = new Set<string>();
  for (const [found] of text.matchAll(/[\w./-]+/g)) {
    const word = found.replace(/^[_./-]+/, '');
    const telling = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[_./-][A-Za-z0-9]/.test(word);
    if (!telling || word.length > 120 || seen.has(word) || words.length >= 1000) continue;
    seen.add(word);
    if (/^[A-Z]+s$/.test(word)) continue;
    for (const segment of word.split('/')) {
      const plain = segment.split(/[_.-]+/).filter(Boolean);
      const parts = plain.flatMap((part) => part.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/));
      if (parts.length < 2 || parts.length > 6) continue;
      const humps = parts.length > plain.length;
      const joined = parts.join('').toLowerCase();
      const useful = humps ? /[_-]/.test(word) : /^[a-z]/.test(joined) && !/^\d/.test(parts[1]!);
      if (!segment.includes('.') && useful && joined.length <= 40) words.push(joined);
      if (humps) words.push(parts.join(' ').toLowerCase());
    }
  }
  return words.join(' ');
}

test('identifiers are taken apart as patterns would', () => {
  const text = fc.string({ unit: fc.constantFrom(...'aabxAABZ09_.-/ '), maxLength: 60 });
  fc.assert(
    fc.property(text, (value) => assert.equal(extraWords(value), byPatterns(value), JSON.stringify(value))),
    { numRuns: 5000 },
  );
});
