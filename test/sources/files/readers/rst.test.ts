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

test('a glossary inside another directive ends where that goes on, and the next one begins', async () => {
  const glossary = (term: string) => ['   .. glossary::', '', `      ${term}`, `         What it is.`, ''];
  const rst = ['.. only:: html', '', ...glossary('Egg'), '   A paragraph.', '', ...glossary('Wheel')];
  const { headings } = await readFile('a.rst', Buffer.from(rst.join('\n')));
  assert.deepEqual(
    headings?.map(({ text, line }) => [text, line]),
    [
      ['Egg', 5],
      ['Wheel', 12],
    ],
  );
});

test('many glossaries are read in linear time', async () => {
  const spent = async (count: number): Promise<number> => {
    const before = process.cpuUsage();
    await readFile('a.rst', Buffer.from(' .. glossary::\n\n  a\n\n'.repeat(count)));
    return process.cpuUsage(before).user;
  };
  await spent(500);
  const [short, long] = [await spent(500), await spent(4_000)];
  assert.ok(long < Math.max(short, 5_000) * 40, `${short} µs, then ${long} µs`);
});

test('takes what a directive describes for a heading, by its name', async () => {
  const rst = [
    ...['Settings', '========', '', 'Text.', ''],
    ...['.. py:data:: TIMEOUT', '   :type: int', '', '   How long to wait.', ''],
    ...['.. class:: Client(host, *, port=80)', '           Client()', '', '   A client.', ''],
    ...['   .. method:: open(path: str) -> File', '', '      Opens it.', ''],
    ...['.. note::', '', '   A note.', '', 'More on settings.', ''],
    ...['.. c:function:: PyObject *PyList_New(Py_ssize_t len)', '', '   Makes one.', ''],
    ...['.. http:get:: /users/(int:id)', '', '   One user.', ''],
    ...['.. option:: -o <file>, --output <file>', '', '   Where to write.', ''],
    ...['.. autofunction:: app.run', '', '.. py:module:: app', '', '   Not described.', ''],
    ...['.. setting:: DEBUG', '', 'DEBUG', '-----', '', 'More.', ''],
    ...['.. image:: picture.png', '', '   No name.', '', '.. data:: LAST'],
  ];
  const { headings } = await readFile('a.rst', Buffer.from(rst.join('\n')));
  assert.deepEqual(
    headings?.map(({ level, text, line }) => [level, text, line]),
    [
      [1, 'Settings', 1],
      [2, 'TIMEOUT', 6],
      [2, 'Client', 11],
      [3, 'open', 16],
      // What follows belongs to the section again.
      [1, 'Settings', 24],
      [2, 'PyList_New', 26],
      [2, '/users/(int:id)', 30],
      [2, '-o <file>, --output <file>', 34],
      [2, 'DEBUG', 46],
    ],
  );
});

test('a description ends where the text around it goes on, also in another directive', async () => {
  const rst = [
    ...['.. class:: Client', '', '   .. method:: open', '', '      Opens it.', ''],
    ...['   .. only:: html', '', '      .. method:: close', '', '         Closes it.'],
  ];
  const { headings } = await readFile('a.rst', Buffer.from(rst.join('\n')));
  assert.deepEqual(
    headings?.map(({ level, text }) => [level, text]),
    [
      [1, 'Client'],
      [2, 'open'],
      [2, 'close'],
    ],
  );
});

test('what follows descriptions that stand deep in each other is read in linear time', async () => {
  const spent = async (depth: number): Promise<number> => {
    const nested = Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}.. data:: a\n\n`).join('');
    const bytes = Buffer.from(`${nested}${' '.repeat(depth)}b\n${'c\n'.repeat(600_000)}`);
    const before = process.cpuUsage();
    await readFile('a.rst', bytes);
    return process.cpuUsage(before).user;
  };
  await spent(1);
  const [flat, deep] = [await spent(1), await spent(1_000)];
  assert.ok(deep < flat * 6, `${flat} µs, then ${deep} µs`);
});
