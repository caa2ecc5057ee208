// Headings of reStructuredText, and the terms of its glossaries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from '../../../../src/sources/files/read.ts';

test('finds headings of reStructuredText by their underlines', async () => {
  const rst =
    '=====\nTitle\n=====\n\nIntro\n\nPart *one*\n----------\n\n:func:`open` call\n~~~~~~~~~~~~~~~~~\n\nNot::\n\n  Heading\n  -------\n\nPart two\n--------\n';
  const { headings, title } = await readFile('a.rst', Buffer.from(rst));
  assert.equal(title, 'Title');
  assert.deepEqual(
    headings?.map(({ level, text, line }) => [level, text, line]),
    [
      [1, 'Title', 1],
      [2, 'Part one', 7],
      [3, 'open call', 10],
      [2, 'Part two', 18],
    ],
  );
});

test('takes the terms of a reStructuredText glossary for headings', async () => {
  const rst = [
    ...['Words', '=====', '', '.. glossary::', '   :sorted:', ''],
    ...['   Build Backend', '', '      A library that builds.', '', '      *A second paragraph.*', ''],
    ...[
      '   Egg',
      '   Wheel : file',
      '      A format.',
      '   .. note:: no term',
      '',
      'After',
      '=====',
      '',
      'Text.',
    ],
  ];
  const { headings } = await readFile('a.rst', Buffer.from(rst.join('\n')));
  assert.deepEqual(
    headings?.map(({ level, text, line }) => [level, text, line]),
    [
      [1, 'Words', 1],
      [2, 'Build Backend', 7],
      [2, 'Egg', 13],
      [1, 'After', 18],
    ],
  );
});
