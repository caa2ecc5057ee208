// What answers no question by itself is never a chunk of its own where a section follows that it leads to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_PROFILE, chunkText } from '../../../../src/domain/chunk.ts';
import type { ReadText } from '../../../../src/domain/document.ts';
import { chunkDocument } from '../../../../src/engine/text/chunk/chunk.ts';
import { outline } from '../../../../src/engine/text/headings.ts';
import { readRst } from '../../../../src/sources/files/readers/rst.ts';

function chunksOf(lines: string[], size = BLOCK_PROFILE.size) {
  const text = lines.join('\n');
  const profile = { ...BLOCK_PROFILE, size };
  return chunkDocument({ text, outline: outline(text, 'markdown'), profile }).map((chunk) => ({
    lines: [chunk.startLine, chunk.endLine],
    under: chunk.headingPath.join(' > '),
    text: chunkText(text, chunk),
  }));
}

const placesOf = (lines: string[], size?: number) =>
  chunksOf(lines, size).map(({ lines: [start, end], under }) => `${start}-${end} ${under}`);

test('a heading without a text of its own begins the first section below it', () => {
  const page = ['# Upgrades', '', '## By hand', '', 'Stop the node.', '', '## Afterwards', '', 'Check it.'];
  assert.deepEqual(placesOf(page), ['1-5 Upgrades > By hand', '7-9 Upgrades > Afterwards']);
  assert.equal(chunksOf(page)[0]!.text, '# Upgrades\n\n## By hand\n\nStop the node.');
  const deep = ['# A', '## B', '### C', 'Text.'];
  assert.deepEqual(placesOf(deep), ['1-4 A > B > C']);
});

test('so does one of reStructuredText, with any row of signs under it, or one over it too', () => {
  const page = [
    '*****',
    'Boats',
    '*****',
    '',
    'Sails',
    '~~~~~',
    '',
    'Reefing',
    "'''''''",
    '',
    'Take it in.',
    '',
  ];
  const { text, headings } = readRst('a.rst', Buffer.from(page.join('\n'))) as ReadText;
  const chunks = chunkDocument({ text, outline: outline(text, 'plain', headings), profile: BLOCK_PROFILE });
  assert.deepEqual(
    chunks.map(({ startLine, endLine, headingPath }) => [startLine, endLine, ...headingPath]),
    [[1, 11, 'Boats', 'Sails', 'Reefing']],
  );
});

test('a heading that nothing below belongs to stays alone', () => {
  const empty = ['## To do', '', '## Done', '', 'All of it.', '', '## Licence'];
  assert.deepEqual(placesOf(empty), ['1-1 To do', '3-5 Done', '7-7 Licence']);
});

test('front matter, pictures, comments and a table of contents stay with the section they lead to', () => {
  for (const introduction of [
    ['---', 'title: Caddyfile', '---', ''],
    ['<div align="center"><img src="logo.svg" alt=""></div>', ''],
    ['[![build](https://a/b.svg)](https://a) ![size](https://a/c.svg)', ''],
    ['![a][a] [![b][c]][d] [![e](f)](g)![h]', ''],
    ['<!-- reviewed', 'in May -->', ''],
    ['<script>', 'ready(() => {})', '</script>', '<style>a {}</style>', ''],
    ['{{< toc >}}', '', '***', ''],
    ['(the-file)=', ''],
    ['.. _the-file:', ''],
    [':orphan:', '', '.. index:: file', '.. contents::', '   :local:', '   :depth: 2', ''],
    ['[[the_file]]', '[#file]', 'include::attributes.adoc[]', ':toc: left', ''],
    ["import Note from '../note.js'", ''],
  ]) {
    const page = [...introduction, '# The file', '', 'It configures the server.'];
    assert.deepEqual(placesOf(page), [`1-${page.length} The file`], introduction[0]);
  }
  const contents = [
    '# Container',
    '',
    '- [Uses](#uses)',
    '  - [Binding](#binding)',
    '',
    '## Uses',
    '',
    'A tool.',
  ];
  assert.deepEqual(placesOf(contents), ['1-8 Container > Uses']);
});

test('what says something stays a chunk of its own', () => {
  for (const says of [
    'A sentence.',
    '- [Elsewhere](https://example.com/page)',
    '<!-- a --> words',
    '<script>a()</script> words',
    '[docs](https://example.com)',
    '| a | b |',
    '    code()',
  ]) {
    const page = ['# Page', '', says, '', '## Part', '', 'Text.'];
    assert.deepEqual(placesOf(page), ['1-3 Page', '5-7 Page > Part'], says);
  }
});

test('an introduction longer than a chunk stays alone, and a long section is split as any other', () => {
  const many = Array.from({ length: 12 }, (_, at) => `- [Part ${at}](#part-${at})`);
  const page = ['# Page', '', ...many, '', '## Part', '', 'Text.'];
  assert.equal(placesOf(page, 200).at(-1), '16-18 Page > Part');
  const long = ['# Page', '## Part', '', 'a '.repeat(80).trim(), '', 'b '.repeat(80).trim()];
  assert.deepEqual(placesOf(long, 200), ['1-4 Page > Part', '6-6 Page > Part']);
});

test('all parts of a section have its block, whose introduction is in the first', () => {
  const blocksOf = (lines: string[]): string[] => {
    const text = lines.join('\n');
    const profile = { ...BLOCK_PROFILE, size: 200 };
    return chunkDocument({ text, outline: outline(text, 'markdown'), profile }).map(
      ({ startLine, block }) => `${startLine}: ${block.start}-${block.end}`,
    );
  };
  const section = ['## Part', '', 'a '.repeat(80).trim(), '', 'b '.repeat(80).trim()];
  assert.deepEqual(blocksOf(['# Page', ...section]), ['1: 1-6', '6: 1-6']);
  const contents = Array.from({ length: 7 }, (_, at) => `- [Part ${at}](#part-${at})`);
  assert.deepEqual(blocksOf(['# Page', ...contents, '', ...section]), ['1: 1-9', '10: 10-14', '14: 10-14']);
});

test('hostile introductions take linear time', () => {
  const spent = (length: number): number => {
    const before = process.cpuUsage();
    for (const line of [
      '<'.repeat(length),
      '!['.repeat(length),
      '[![a]'.repeat(length),
      `${'[![a]'.repeat(length)}.`,
      '- ['.repeat(length),
    ])
      chunksOf([line, '', '# A', '', 'Text.'], 100_000);
    return process.cpuUsage(before).user;
  };
  spent(1_200);
  const [short, long] = [spent(1_200), spent(9_600)];
  assert.ok(long < Math.max(short, 5_000) * 40, `${short} µs, then ${long} µs`);
});
