import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addFailure,
  emptyReport,
  hasChanged,
  noticeLines,
  sourceAfter,
} from '../../../src/engine/index/report.ts';

const report = () => emptyReport({ database: 'vai', collection: 'docs', model: 'none' });

test('every failure is counted, and the first twenty are told', () => {
  const told = report();
  for (let at = 0; at < 30; at += 1)
    addFailure(told, {
      ...{ path: `p${at}`, startLine: 1, endLine: 1, stage: 'read' },
      ...{ code: 'FILE_UNREADABLE', message: 'no' },
    });
  assert.deepEqual([told.failuresTotal, told.failures.length, told.failures.at(-1)!.path], [30, 20, 'p19']);
});

test('of notices of one kind the first three are told, and how many more there are', () => {
  const odd = (path: string, count: number) => ({ path, notice: `${count} odd bytes were replaced.` });
  const one = { path: 'one', notice: 'It ends early.' };
  const many = ['a', 'b', 'c', 'd', 'e'].map((path, at) => odd(path, at));
  assert.deepEqual(noticeLines([one, ...many]), [
    'one: It ends early.',
    'a: 0 odd bytes were replaced.',
    'b: 1 odd bytes were replaced.',
    'c: 2 odd bytes were replaced.',
    'The same holds for 2 more files.',
  ]);
  assert.equal(noticeLines(many.slice(0, 3)).length, 3);
  assert.equal(noticeLines(many.slice(0, 4)).at(-1), 'The same holds for 1 more file.');
});

test('a run has changed something when a document came, went, moved or changed', () => {
  for (const what of ['added', 'changed', 'renamed', 'deleted'] as const) {
    const changed = report();
    changed.run[what] = 1;
    assert.equal(hasChanged(changed), true, what);
  }
  const idle = report();
  Object.assign(idle.run, { unchanged: 5, failed: 2, partial: 1 });
  assert.equal(hasChanged(idle), false);
});

test('a report begins with nothing', () => {
  assert.deepEqual(report(), {
    database: 'vai',
    collection: 'docs',
    model: 'none',
    run: {
      ...{ added: 0, changed: 0, renamed: 0, deleted: 0, unchanged: 0, failed: 0, partial: 0 },
      ...{ chunks: 0, bytes: 0, skipped: [] },
    },
    totals: { documents: 0, chunks: 0, entities: 0, relations: 0, vectors: 0 },
    calls: {
      ...{ extractRequests: 0, extractCacheHits: 0, embedRequests: 0 },
      ...{ embeddedTexts: 0, inputTokens: 0, outputTokens: 0 },
    },
    cost: 0,
    failures: [],
    failuresTotal: 0,
    durationMs: 0,
    warnings: [],
  });
});

test('a source has changed when a run over it changed something, or was the first', () => {
  const place = { kind: 'folder', location: 'docs' } as const;
  const before = { ...place, fetchedAt: 'monday', changedAt: 'sunday' };
  const changed = report();
  changed.run.added = 1;
  const after = (told: typeof changed, known?: typeof before) =>
    sourceAfter(told, place, { at: 'tuesday', before: known });
  assert.deepEqual(after(report(), before), { ...place, fetchedAt: 'tuesday', changedAt: 'sunday' });
  assert.deepEqual(after(changed, before), { ...place, fetchedAt: 'tuesday', changedAt: 'tuesday' });
  assert.deepEqual(after(report()), { ...place, fetchedAt: 'tuesday', changedAt: 'tuesday' });
});
