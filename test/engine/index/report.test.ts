import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFailure, emptyReport, hasChanged } from '../../../src/engine/index/report.ts';

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
