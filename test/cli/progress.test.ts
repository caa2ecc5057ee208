import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBar, duration, renderBar } from '../../src/cli/progress.ts';

test('a bar shows share, rate and time left, and never exceeds the terminal', () => {
  const line = renderBar({ done: 25, total: 100, message: 'guide/install.md' }, 5, 80);
  assert.match(line, /25%.*25\/100.*5\.0\/s.*15 s left.*guide\/install\.md/);
  for (const columns of [20, 30, 40, 200]) {
    assert.ok(renderBar({ done: 3, total: 9, message: 'x'.repeat(300) }, 1, columns).length < columns);
  }
  assert.match(renderBar({ done: 3 }, 1, 80), /^3 {2}3\.0\/s$/);
});

test('nothing is drawn into a pipe, and a drawn bar is removed', () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const pipe = createBar({ isTTY: false, write });
  pipe.update({ done: 1, total: 2 });
  pipe.end();
  assert.equal(written.length, 0);
  let time = 0;
  const bar = createBar(
    { isTTY: true, columns: 60, write: (text) => written.push(text) },
    () => (time += 1000),
  );
  bar.update({ done: 1, total: 2 });
  bar.end();
  assert.equal(written.at(-1), '\r\u001b[2K');
});

test('durations read well', () => {
  assert.deepEqual([5, 75, 3700].map(duration), ['5 s', '1 min 15 s', '1 h 2 min']);
});
