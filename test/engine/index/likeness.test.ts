import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likeness } from '../../../src/engine/index/likeness.ts';
import type { Store } from '../../../src/ports/store.ts';

function likest(documents: Record<string, string>, gone = Object.keys(documents)) {
  let asked = 0;
  const text = (_collection: string, path: string) => {
    asked += 1;
    return Promise.resolve(documents[path]);
  };
  const find = likeness({ documents: { text } } as unknown as Store, 'docs', () => gone);
  return { find: (...lines: string[]) => find(lines.join('\n')), asked: () => asked };
}

const lines = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} line ${at}`);

test('the document with most of the lines, at least three quarters of them', async () => {
  const { find, asked } = likest({
    'a.md': lines('a', 10).join('\n'),
    'b.md': [...lines('b', 6), ...lines('a', 4)].join('\n'),
  });
  assert.equal(await find(...lines('a', 9), 'a new one'), 'a.md');
  assert.equal(await find(...lines('a', 9), ...lines('x', 3)), 'a.md');
  assert.equal(await find(...lines('a', 9), ...lines('x', 4)), undefined, 'less of the new one');
  assert.equal(await find(...lines('a', 7)), undefined, 'less of the old one');
  const indented = [...lines('b', 6), ...lines('a', 4)].map((line) => `  ${line}  `);
  assert.equal(await find(...indented), 'b.md', 'whatever the indentation');
  assert.equal(asked(), 2, 'each is read once');
});

test('lines of signs say nothing, and one line is not enough', async () => {
  const { find } = likest({ 'a.md': '---\n}\n| | |\n# Title', 'b.md': 'One line.' });
  assert.equal(await find('---', '}', '| | |', '# Another'), undefined);
  assert.equal(await find('One line.'), undefined);
  assert.equal(await find(''), undefined);
});

test('nothing is read where nothing is gone, or so much that folders were exchanged', async () => {
  assert.equal(await likest({}).find('text', 'more'), undefined);
  const many = likest(
    { 'a.md': 'one\ntwo' },
    Array.from({ length: 201 }, () => 'a.md'),
  );
  assert.equal(await many.find('one', 'two'), undefined);
  assert.equal(many.asked(), 0);
});
