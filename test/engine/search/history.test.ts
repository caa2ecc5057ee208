// Changelogs, release notes and dated posts come after the documentation.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isHistoryPath } from '../../../src/domain/history-path.ts';
import { historyLast } from '../../../src/engine/search/history.ts';
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
    ])
      assert.ok(!isHistoryPath(path), path);
  });
});

describe('the order of documentation and history', () => {
  const candidates = ['CHANGELOG.md', 'guide.md'].map((path, at): Candidate => {
    return { chunk: { path }, score: [0.9, 0.6][at] } as unknown as Candidate;
  });
  const order = (question: string): string[] =>
    historyLast(candidates, question).map(({ chunk }) => chunk.path);

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

  it('where there is nothing else, posts keep their order and their scores', () => {
    const posts = candidates.map((one, at): Candidate => {
      return { ...one, chunk: { ...one.chunk, path: `blog/${at}.md` } };
    });
    assert.deepEqual(historyLast(posts, 'how do I drain a node'), posts);
  });
});
