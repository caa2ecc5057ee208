import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownTexts } from '../../../src/engine/project/prose.ts';

/** `'docs/*.md': [20, 1000]`: twenty files of a thousand bytes. */
function proposed(spec: Record<string, [count: number, bytes: number]>, isProject = true) {
  const files = Object.entries(spec).flatMap(([pattern, [count, bytes]]) =>
    Array.from({ length: count }, (_, at) => ({ path: pattern.replace('*', `${at}`), bytes, modifiedMs: 0 })),
  );
  const { folders, code } = ownTexts(files, isProject);
  const shown = (list: typeof folders) => list.map(({ path, files: found }) => `${path} ${found}`);
  return { folders: shown(folders), code: shown(code) };
}

const INTRODUCTIONS = { 'README.md': [1, 3000], 'CHANGELOG.md': [1, 9000], 'LICENSE.md': [1, 900] } as const;

test('folders of documentation, then what introduces the project; source code is named and left out', () => {
  const found = proposed({
    ...(INTRODUCTIONS as object),
    'docs/*.md': [20, 1000],
    'src/*.ts': [90, 2000],
    'src/notes.md': [1, 100],
    'tools/*.py': [4, 2000],
  });
  assert.deepEqual(found, {
    folders: ['docs 20', 'README.md 1', 'CHANGELOG.md 1'],
    code: ['src 90', 'tools 4'],
  });
});

test('whatever holds much of the prose, down to where it is', () => {
  assert.deepEqual(
    proposed({ 'source/_a/*.md': [60, 1000], 'source/_b/*.md': [40, 1000], 'lib/*.rb': [30, 1] }),
    {
      folders: ['source 100'],
      code: ['lib 30'],
    },
  );
  const deep = proposed({
    'src/current/v1/*.md': [50, 900],
    'src/current/v2/*.md': [50, 900],
    'src/api/a.md': [1, 90],
  });
  assert.deepEqual(deep.folders, ['src/current 100']);
});

test('a folder of code with texts in it is looked through for its documentation', () => {
  const { folders, code } = proposed({
    'packages/a/src/*.ts': [51, 900],
    'packages/a/docs/*.md': [10, 900],
    'packages/b/src/*.ts': [50, 900],
    'packages/b/docs/*.md': [9, 900],
    'packages/c/docs/*.md': [1, 90],
  });
  assert.deepEqual(folders, ['packages/a/docs 10', 'packages/b/docs 9']);
  assert.deepEqual(code, ['packages/a/src 51', 'packages/b/src 50']);
});

test('a small book beside a large blog is documentation by its name, its translations are not proposed', () => {
  const { folders, code } = proposed({
    'blog/*.md': [100, 9000],
    'book/*.md': [20, 900],
    'lang-guide/chapters/*.md': [10, 900],
    'de/book/*.md': [20, 9900],
    'pt-BR/book/*.md': [20, 9900],
    'my-book/*.ts': [9, 10],
    'js/src/*.ts': [3, 10],
  });
  assert.deepEqual(folders, ['blog 100', 'book 20', 'lang-guide 10']);
  assert.deepEqual(code, ['my-book 9', 'js 3']);
});

test('translations do not outweigh what they translate', () => {
  const languages = ['de', 'fr', 'ja', 'zh-CN'].map((name) => [`${name}/book/*.md`, [20, 900]] as const);
  const found = proposed({ 'book/*.md': [20, 900], 'src/*.ts': [9, 10], ...Object.fromEntries(languages) });
  assert.deepEqual(found, { folders: ['book 20'], code: ['src 9'] });
});

test('long plain texts are data', () => {
  const { folders } = proposed({ 'lib/unicode/*.txt': [8, 500_000], 'lib/core/pages/*.md': [50, 900] });
  assert.deepEqual(folders, ['lib/core/pages 50']);
});

test('tests, fixtures and examples are no prose of the project, unless they lie in its documentation', () => {
  const { folders, code } = proposed({
    'docs/testing/*.md': [1, 10],
    'docs/examples/*.md': [1, 10],
    'test/fixtures/*.md': [90, 9000],
    'js_tests/*.md': [90, 9000],
    'listings/ch01/*.txt': [90, 9000],
    'src/a.ts': [1, 10],
    'guides/*.md': [2, 10],
  });
  assert.deepEqual(folders, ['docs 2', 'guides 2']);
  assert.deepEqual(code, ['src 1']);
});

test('a folder that is only texts is meant as it stands', () => {
  const notes = { 'todo.txt': [1, 10], 'minutes/*.md': [3, 100], 'data/a.csv': [1, 10] } as const;
  assert.deepEqual(proposed({ ...(notes as object) }, false), { folders: ['. 5'], code: [] });
  assert.deepEqual(proposed({ ...(notes as object) }).folders, ['minutes 3']);
  assert.deepEqual(proposed({ 'a.md': [1, 10], 'src/*.c': [9, 10] }, false).folders, []);
  assert.deepEqual(proposed({}, false), { folders: [], code: [] });
});
