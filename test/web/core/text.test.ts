// The pure parts of the page: citations, hashes, marks, outlines, event streams.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { citationKey, parseCitation } from '../../../src/web/core/citation.ts';
import { ago, duration, milliseconds, plural } from '../../../src/web/core/format.ts';
import { formatHash, parseHash, VIEWS } from '../../../src/web/core/hash.ts';
import { repositoryAddress, suggestedName } from '../../../src/web/core/source-address.ts';
import { bestLines, pieces, queryWords } from '../../../src/web/core/highlight.ts';
import { excerpt } from '../../../src/web/core/excerpt.ts';
import { frontMatterTitle } from '../../../src/web/core/front-matter.ts';
import { resolveLink } from '../../../src/web/core/links.ts';
import { headingsIn } from '../../../src/web/core/outline.ts';
import { tinter } from '../../../src/web/core/syntax.ts';
import { createEventParser } from '../../../src/web/core/sse.ts';

test('citations are taken apart from the right', () => {
  assert.deepEqual(parseCitation('bun:304-324@9f3c1a27'), {
    name: 'bun',
    collection: 'bun',
    path: '',
    start: 304,
    end: 324,
  });
  assert.deepEqual(parseCitation('a/b:c/d.md:7'), {
    name: 'a/b:c/d.md',
    collection: 'a',
    path: 'b:c/d.md',
    start: 7,
    end: 7,
  });
  assert.equal(parseCitation('a:3-5,9-12')?.end, 12);
  for (const wrong of ['', 'bun', 'bun:', ':1-2', 'bun:x-y']) assert.equal(parseCitation(wrong), undefined);
  assert.equal(citationKey('a/b.md:1-2@0123abcd'), citationKey('a/b.md:1-2'));
});

test('a place survives the hash, whatever its parameters hold', () => {
  fc.assert(
    fc.property(fc.constantFrom(...VIEWS), fc.string({ minLength: 1 }), (view, value) => {
      const place = parseHash(formatHash(view, { q: value, empty: '' }));
      assert.deepEqual(place, { view, params: { q: value.toWellFormed() } });
    }),
  );
  assert.deepEqual(parseHash('#/nonsense'), { view: 'search', params: {} });
  assert.deepEqual(parseHash(''), { view: 'search', params: {} });
});

test('marks cover the words of the query and lose no text', () => {
  const words = queryWords('How do payments FAIL? -refund');
  assert.deepEqual(words, ['payments', 'fail']);
  const found = pieces('A payment failed; the refund of Payments', words);
  assert.deepEqual(
    found.filter((piece) => piece.hit).map((piece) => piece.text),
    ['payment', 'failed', 'Payments'],
  );
  assert.deepEqual(
    queryWords('to be or not to be').length > 0,
    true,
    'only common words are words after all',
  );
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, query) => {
      const parts = pieces(text, queryWords(query));
      assert.equal(parts.map((piece) => piece.text).join(''), text);
    }),
  );
});

test('the densest lines are shown with their own numbers', () => {
  const content = ['intro', '', 'nothing', 'the cat sat', 'a cat and a dog', 'end', ''].join('\n');
  const lines = bestLines(content, { start: 10, words: ['cat', 'dog'], count: 3 });
  assert.deepEqual(
    lines.map(({ number, hit }) => [number, hit]),
    [
      [12, false],
      [13, true],
      [14, true],
    ],
  );
  assert.equal(bestLines('one', { start: 5, words: [], count: 4 })[0]?.number, 5);
});

test('headings are found outside code and front matter, in both styles', () => {
  const text = [
    ...['---', 'title: x', '# not a heading', '---', 'Guide', '=====', '', '## Part [1] ##', '```sh'],
    ...['# a comment', '```', '### `deep` [link](x) {/*deep-link*/}', 'Setext', '---', '- item', '---'],
  ];
  const seen = headingsIn(new Map(text.map((line, at) => [at + 1, line])));
  assert.deepEqual(
    seen.map(({ title, depth, line }) => [title, depth, line]),
    [
      ['Guide', 1, 5],
      ['Part [1]', 2, 8],
      ['deep link', 3, 12],
      ['Setext', 2, 13],
    ],
  );
  assert.equal(frontMatterTitle(['---', 'title: "Two words"', '---']), 'Two words');
  assert.equal(frontMatterTitle(['# Title', 'title: no']), undefined);
});

test('links lead inside the collection or nowhere', () => {
  const from = parseCitation('docs/guide/intro.md:3-5')!;
  const headings = [{ title: 'Set it up!', depth: 2, line: 9 }];
  const to = (address: string) => resolveLink(from, address, headings);
  assert.equal(to('../api/run.md#x'), 'docs/api/run.md:1');
  assert.equal(to('./next%20one.md'), 'docs/guide/next one.md:1');
  assert.equal(to('#set-it-up'), 'docs/guide/intro.md:9');
  for (const address of [
    '../../../etc/x.md',
    '/root.md',
    'javascript:alert(1)',
    'data:x.md',
    'page',
    '#gone',
    '',
  ])
    assert.equal(to(address), undefined, address);
});

test('an excerpt is plain words around what was asked for', () => {
  const content = [
    ...['---', 'title: Drain', '---', '## Drain', '', '{{% heading "x" %}}', 'First **bold** words.', ''],
    ...['Use [`kubectl drain`](x) to', 'empty a node.', '', '```sh', 'kubectl drain node', '```'],
  ].join('\n');
  const prose = excerpt(content, { words: ['empty', 'node'], title: 'Drain' });
  assert.deepEqual(prose, { text: 'Use kubectl drain to empty a node.', isCode: false });
  const code = excerpt('```\nlet a = 1\nfind(me)\n```', { words: ['find'], title: '' });
  assert.deepEqual(code, { text: 'let a = 1\nfind(me)', isCode: true });
  const long = excerpt(`${'word '.repeat(200)}needle ${'tail '.repeat(200)}`, {
    words: ['needle'],
    title: '',
  });
  assert.match(long.text, /^… .*needle.* …$/);
  assert.ok(long.text.length < 340);
});

test('an excerpt shows code and addresses in angle brackets, and no tags', () => {
  const shown = (content: string): string => excerpt(content, { words: [], title: '' }).text;
  assert.equal(shown('Run `ship rollback --to <version>`.'), 'Run ship rollback --to <version>.');
  assert.equal(shown('Match **`**/*.md`** or [`a|b`](x).'), 'Match **/*.md or a|b.');
  assert.equal(
    shown('Ann, <https://harry.example/x>, <harry@x.example>, <b>Simone</b>.').replaceAll(/ +/g, ' '),
    'Ann, https://harry.example/x, harry@x.example, Simone .',
  );
  assert.equal(shown('An `unclosed and ``two``.'), 'An unclosed and two.');
});

test('tints change nothing of the text', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.constantFrom('ts', 'py', 'sql', ''), (lines, language) => {
      const tint = tinter(language);
      for (const line of lines)
        assert.equal(
          tint(line)
            .map(({ text }) => text)
            .join(''),
          line,
        );
    }),
  );
  const tint = tinter('ts');
  const kinds = (line: string) =>
    tint(line)
      .filter((part) => part.tint)
      .map((part) => [part.text, part.tint]);
  assert.deepEqual(kinds(`const a = 'x' // y`), [
    ['const', 'keyword'],
    [`'x'`, 'string'],
    ['// y', 'comment'],
  ]);
  assert.deepEqual(kinds('1 /* open'), [
    ['1', 'number'],
    ['/* open', 'comment'],
  ]);
  assert.deepEqual(kinds('still */ if'), [
    ['still */', 'comment'],
    ['if', 'keyword'],
  ]);
});

test('events arrive whole however the stream is cut', () => {
  const stream = 'event: message\ndata: {"a":1}\n\n: comment\ndata: x\ndata: y\r\n\r\ndata:z\n\n';
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
      const got: string[] = [];
      const feed = createEventParser((data) => got.push(data));
      let from = 0;
      for (const cut of [...cuts.sort((a, b) => a - b), stream.length]) {
        feed(stream.slice(from, cut));
        from = Math.max(from, cut);
      }
      assert.deepEqual(got, ['{"a":1}', 'x\ny', 'z']);
    }),
  );
});

test('numbers and times in words', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  assert.equal(ago('2026-11-15T11:59:40Z', now), 'just now');
  assert.equal(ago('2026-11-14T11:00:00Z', now), 'yesterday');
  assert.equal(ago('nonsense', now), 'at an unknown time');
  assert.equal(duration(90_061), '1 d 1 h');
  assert.equal(duration(59), '59 s');
  assert.equal(milliseconds(3.24), '3.2 ms');
  assert.equal(milliseconds(12_300), '12.3 s');
  assert.equal(plural(1, 'line'), '1 line');
  assert.equal(plural(1200, 'line'), '1,200 lines');
});

test('a repository is recognised however it is written', () => {
  const cases: [Parameters<typeof repositoryAddress>[0], string | undefined][] = [
    [{ repository: 'honojs/website' }, 'github:honojs/website'],
    [{ repository: ' https://github.com/honojs/website.git ' }, 'github:honojs/website'],
    [{ repository: 'git@github.com:honojs/website.git' }, 'github:honojs/website'],
    [{ repository: 'github:honojs/website@v1/docs' }, 'github:honojs/website@v1/docs'],
    [{ repository: 'https://github.com/a/b/tree/main/docs/a%20b?x=1#y' }, 'github:a/b@main/docs/a%20b'],
    [{ repository: 'github.com/a/b', ref: 'feature/x', folder: '/docs/' }, 'github:a/b@feature%2Fx/docs'],
    [{ repository: 'https://git.corp.example:8443/a/b' }, 'github:a/b'],
    [{ repository: 'https://github.com/a' }, undefined],
    [{ repository: '' }, undefined],
  ];
  for (const [input, address] of cases) assert.equal(repositoryAddress(input), address);
});

test('a name is suggested that a source may have', () => {
  const cases: [string, string][] = [
    ['https://docs.example.com/guide/', 'example'],
    ['https://bun.sh/llms-full.txt', 'bun'],
    ['~/docs/Team Handbook', 'team-handbook'],
    ['/srv/2024_notes/', 'notes'],
    ['heron', 'heron'],
    ['', ''],
  ];
  for (const [text, name] of cases) assert.equal(suggestedName(text), name, text);
});
