// The page stays small, asks no other host for anything and has nothing inline that its policy would block.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildWeb } from '../../scripts/build-web.js';
import { tempFolder } from '../support/temp-folder.ts';

const LIMIT = 400 * 1024;
/** What every visitor loads; plots, the graph, Markdown and keys come later, if at all. */
const FIRST_LIMIT = 60 * 1024;

const folder = tempFolder('web');
let files: { name: string; text: string; zipped: number }[];

before(async () => {
  await buildWeb(folder);
  files = readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return { name, text: bytes.toString('utf8'), zipped: gzipSync(bytes, { level: 9 }).length };
  });
});

test('at most 400 KB gzipped in all, and little at first', () => {
  const total = files.reduce((sum, file) => sum + file.zipped, 0);
  assert.ok(total <= LIMIT, `${total} bytes`);
  const first = files
    .filter(({ name }) => !/^(access|graph-draw|markdown|plots)-/.test(name))
    .reduce((sum, file) => sum + file.zipped, 0);
  assert.ok(first <= FIRST_LIMIT, `${first} bytes at first`);
});

test('nothing is inline and nothing comes from elsewhere', () => {
  const html = files.find(({ name }) => name === 'index.html')!.text;
  assert.doesNotMatch(html, /<style|style=|<script(?![^>]*\bsrc=)|\son\w+=/i);
  for (const match of html.matchAll(/(?:src|href)="([^"]+)"/g)) assert.match(match[1]!, /^[/#](?!\/)/);
  const css = files.find(({ name }) => name === 'style.css')!.text;
  assert.doesNotMatch(css, /url\(|@import/);
});
