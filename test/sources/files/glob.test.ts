import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import ignore from 'ignore';
import picomatch from 'picomatch';
import { VaiError } from '../../../src/domain/errors.ts';
import { readGitignore } from '../../../src/sources/files/gitignore.ts';
import { globMatcher } from '../../../src/sources/files/glob.ts';

const fits = (pattern: string, path: string): boolean => globMatcher(pattern)(path);

describe('globs', () => {
  for (const [pattern, yes, no] of [
    ['*.md', ['a.md', '.md'], ['a/b.md', 'a.mdx']],
    ['**/*.md', ['a.md', 'a/b.md', 'a/b/c.md'], ['a.txt', 'a.md/b']],
    ['docs/**', ['docs/a', 'docs/a/b', 'docs'], ['doc/a', 'x/docs/a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/bb', 'b']],
    ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/c', 'a/b/b/c'], ['a/c', 'a/b']],
    ['?at', ['cat', 'bat'], ['at', 'c/at', 'chat']],
    ['[a-c]x[!0-9]', ['ax_', 'cxz'], ['dx_', 'ax1', 'ax/']],
    ['[]x]', [']', 'x'], ['[']],
    ['a[b', ['a[b'], ['ab']],
    ['**/o*.{md,txt}', ['one.md', 'a/one.txt'], ['one.rst']],
    ['{a,b{c,d}}x', ['ax', 'bcx', 'bdx'], ['bx', 'cx']],
    ['a{b', ['a{b'], ['ab']],
    ['{ab}', ['{ab}'], ['ab']],
    ['\\*a\\{b,c\\}', ['*a{b,c}'], ['xa{b,c}', '*ab']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['', [''], ['a']],
  ] as const) {
    it(`${pattern || 'nothing'}`, () => {
      for (const path of yes) assert.ok(fits(pattern, path), path);
      for (const path of no) assert.ok(!fits(pattern, path), path);
    });
  }

  it('agree with picomatch', () => {
    const path = fc
      .array(fc.stringMatching(/^[abc]{1,4}$/), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/'));
    const name = fc.stringMatching(/^(?:[ab*?]|\[[ab]\]){1,3}(?:\{a,b\}[ab?]?)?$/);
    const pattern = fc
      .array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/'))
      // Its own ways: `**` glued to other marks, a star beside a question mark, `*/**` that is not like `a/**`.
      .filter((joined) => !/\*{2}[^/]|[^/]\*{2}|\*\?|\?\*|\*\/\*\*$/.test(joined));
    fc.assert(
      fc.property(pattern, path, (one, other) => {
        assert.equal(fits(one, other), picomatch(one, { dot: true })(other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuse patterns that stand for too much', () => {
    const refused = (thrown: unknown): boolean =>
      thrown instanceof VaiError && thrown.code === 'INVALID_INPUT';
    assert.throws(() => globMatcher('{a,b}'.repeat(20)), refused);
    assert.throws(() => globMatcher('a'.repeat(501)), refused);
  });
});

describe('.gitignore', () => {
  it('is read as git reads it', () => {
    const rules = readGitignore(
      '# comment\n\n*.log\n!keep.log\n/build/\nsub/*.tmp\n**/deep/x\nall/**\n\\#name\nspace\\ \nplain  \n',
    );
    const judged = (path: string, isFolder = false) => rules.ignores(path, isFolder);
    assert.equal(judged('a/b.log'), true);
    assert.equal(judged('a/keep.log'), false);
    assert.equal(judged('build', true), true);
    assert.equal(judged('build'), undefined, 'a file is no folder');
    assert.equal(judged('a/build', true), undefined, 'a leading slash means here');
    assert.equal(judged('sub/a.tmp'), true);
    assert.equal(judged('x/sub/a.tmp'), undefined, 'a slash inside means here too');
    assert.equal(judged('x/deep/x'), true);
    assert.equal(judged('deep/x'), true);
    assert.equal(judged('all/x/y'), true);
    assert.equal(judged('all', true), undefined);
    assert.equal(judged('#name'), true);
    assert.equal(judged('space '), true);
    assert.equal(judged('plain'), true);
    assert.equal(judged('other'), undefined);
  });

  it('agrees with the package everybody uses', () => {
    const rule = fc
      .tuple(
        fc.constantFrom('', '!', '/', '!/', '**/'),
        fc.stringMatching(/^[ab*?]{1,3}(?:\/[ab*]{1,2}){0,2}$/),
        fc.constantFrom('', '/', '/**'),
      )
      .map((parts) => parts.join(''))
      .filter((joined) => !/\*{3}|[ab?]\*{2}|\*{2}[ab?]|\*\?|\?\*/.test(joined));
    const path = fc.stringMatching(/^[ab]{1,3}(?:\/[ab]{1,3}){0,2}$/);
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 4 }),
        path,
        fc.boolean(),
        (lines, one, isFolder) => {
          const rules = readGitignore(lines.join('\n'));
          const oracle = ignore().add(lines.join('\n'));
          // Theirs looks at the folders above as well; a walk has asked about those before.
          const names = one.split('/');
          for (let depth = 1; depth < names.length; depth += 1)
            if (oracle.test(`${names.slice(0, depth).join('/')}/`).ignored) return;
          const { ignored, unignored } = oracle.test(isFolder ? `${one}/` : one);
          assert.equal(rules.ignores(one, isFolder), ignored ? true : unignored ? false : undefined);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
