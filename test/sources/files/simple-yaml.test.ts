import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { parseSimpleYaml } from '../../../src/sources/files/simple-yaml.ts';

const bit = fc.constantFrom('a', 'b', 'key', 'some words', '"quoted"', "'single'", '10', '-3', '007', '1.5', 'true', 'null', '~', 'https://x.y/z#a', 'C: d', '- ', '-', ':', ': ', ' ', '  ', '#', ' # note', '>', '>-', '|', '|-', '>+', '[a, b]', '[/a/,x-y]', '[1, 2.50]', '[ a]', '[a ,b]', '[-a]', '[a-]', '2.50', '09', '44past4', '1e3', '12e', '0x1F', '2020 was long', '2020 ', '["A b", c]', '-0.5', '1.', '2021/06/08', '2021-06', '<Tag>', '<<', '"a\\nb"', '"\\t\\"x\\""', '"\\d"', '"a" x', '{ a: b }', '&x', '*x', '!!str', 'yes', '2026-01-02', '/path', '\\', '"', "'", '?', 'é'); // prettier-ignore
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '  ', '  ', '    ', ' '),
    fc.constantFrom('', '- ', 'a: ', 'b: ', 'c:', 'd:', '- e: ', '# '),
    fc.array(bit, { maxLength: 3 }),
  )
  .map(([indent, start, bits]) => indent + start + bits.join(''));
const tame = fc
  .tuple(
    fc.constantFrom(
      'a: ',
      'b: ',
      'c:\n  d: ',
      'e:\n- ',
      'f:\n  - ',
      '- ',
      '  - g: ',
      '  h: ',
      'i: >\n  ',
      'n: >\n  x \n  y \no: ',
      'p: >-\n  x \n\nq: ',
      'r: >\n  x\n \ns: ',
      't: |\n  x \n  y\n   \nu: ',
      'j: >-\n  \nk: ',
      'l: |\n\nm: ',
    ),
    fc.constantFrom(
      'words here',
      '12',
      '"q"',
      'true',
      '1.10',
      '2021/06/08',
      '"a\\n b"',
      '[a, b]',
      '<T>',
      'x # note',
      '/a/b',
      'https://x.y',
    ),
  )
  .map((parts) => parts.join(''));
const soup = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: tame },
      { weight: 4, arbitrary: line },
      { weight: 1, arbitrary: fc.constant('') },
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n'));

describe('parseSimpleYaml', () => {
  it('reads the usual front matter', () => {
    const yaml =
      'title: Jobs\nreviewers:\n- erictune\n- mimowo\nfeature:\n  title: Batch\n  description: >\n    One line,\n    then two.\nstages:\n  - stage: beta\n    from: "1.19"\n  - stage: stable\nweight: 50 # last\nempty:\nhide: true\n';
    const value = parseSimpleYaml(yaml);
    assert.ok(value);
    assert.deepEqual(value, parse(yaml));
  });

  it('never reads anything differently from a YAML parser', () => {
    let simple = 0;
    fc.assert(
      fc.property(soup, (yaml) => {
        const value = parseSimpleYaml(yaml);
        if (!value) return;
        simple += 1;
        assert.deepEqual(value, parse(yaml));
      }),
      { numRuns: 5000 },
    );
    assert.ok(simple > 100, `only ${simple} were simple`);
  });
});
