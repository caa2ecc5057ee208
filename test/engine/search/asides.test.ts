// Changelogs, release notes, dated posts and test data come after the documentation.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isHistoryPath, isTestData } from '../../../src/domain/aside-path.ts';
import { asidesLast } from '../../../src/engine/search/asides.ts';
import type { Candidate } from '../../../src/engine/search/rerank.ts';

describe('documents that tell what changed', () => {
  it('are known by their paths', () => {
    for (const path of [
      'CHANGELOG.md',
      'docs/changelog/2.1.md',
      'docs/releases/4.2.txt',
      'HISTORY.rst',
      'docs/release-notes.md',
      'site/_posts/2021-04-16-highlights.markdown',
      'news/2024-01-02-roadmap.md',
      'pages/whats-new.adoc',
      'docs/v2-upgrade.md',
      'guide/migration-from-3.md',
      'docs/upgrading-to-v4.rst',
    ])
      assert.ok(isHistoryPath(path), path);
  });

  it('are not those about history, news or releases as a subject', () => {
    for (const path of [
      'integrations/history.md',
      'docs/news.md',
      'guide/release.md',
      'src/changes.ts',
      '2024/a.md',
      'docs/upgrade-cluster.md',
      'guide/migrations.md',
    ])
      assert.ok(!isHistoryPath(path), path);
  });
});

describe('the order of documentation and history', () => {
  const candidates = ['CHANGELOG.md', 'guide.md'].map((path, at): Candidate => {
    return { chunk: { path }, score: [0.9, 0.6][at] } as unknown as Candidate;
  });
  const order = (question: string): string[] =>
    asidesLast(candidates, question).map(({ chunk }) => chunk.path);

  it('documentation comes first where nothing is asked about changes', () => {
    assert.deepEqual(order('how do I drain a node'), ['guide.md', 'CHANGELOG.md']);
  });

  it('what changed is found in the changelog', () => {
    for (const question of [
      'since when can a node be drained',
      'what changed in 2.1',
      'draining was removed in',
    ])
      assert.deepEqual(order(question), ['CHANGELOG.md', 'guide.md'], question);
  });

  it('test data comes after it, unless tests are asked for', () => {
    const data = candidates.map((one, at): Candidate => {
      return { ...one, chunk: { ...one.chunk, path: ['pkg/drain/testdata/kafka.txt', 'guide.md'][at]! } };
    });
    const paths = (question: string): string[] => asidesLast(data, question).map(({ chunk }) => chunk.path);
    assert.deepEqual(paths('how do I delete logs'), ['guide.md', 'pkg/drain/testdata/kafka.txt']);
    assert.deepEqual(paths('sample of Kafka logs')[0], 'pkg/drain/testdata/kafka.txt');
    assert.deepEqual(
      ['docs/testing/setup.md', 'tests/data.yaml', 'fixtures/page.html', 'specs/api.yaml'].map(isTestData),
      [false, true, false, false],
    );
    assert.deepEqual(
      ['docs/topics/testing/tools.txt', 'tests/report.qmd', 'testing/a.ipynb', 'tests/docs/a.txt'].map(
        isTestData,
      ),
      [false, false, false, true],
    );
  });

  it('where there is nothing else, posts keep their order and their scores', () => {
    const posts = candidates.map((one, at): Candidate => {
      return { ...one, chunk: { ...one.chunk, path: `blog/${at}.md` } };
    });
    assert.deepEqual(asidesLast(posts, 'how do I drain a node'), posts);
  });
});
