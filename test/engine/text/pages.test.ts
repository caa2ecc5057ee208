import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BLOCK_PROFILE } from '../../../src/domain/chunk.ts';
import { assemble } from '../../../src/engine/index/prepare.ts';
import { analyse } from '../../../src/engine/text/analyse.ts';

const pages = (text: string, path = 'guide/a.md') => {
  const read = { text, syntax: 'markdown' as const };
  const input = { collection: 'docs', path, read, profile: BLOCK_PROFILE, fetchedAt: '2026-01-01T00:00:00Z' };
  const { write } = assemble(input, analyse(input));
  return (write.pages ?? []).map(({ ordinal, names }) => [write.chunks[ordinal]!.startLine, ...names]);
};

it('a document is one page that begins with its first chunk', () => {
  assert.deepEqual(pages('intro\n\n# Pods\n\ntext\n\n## Parts\n\ntext'), [[1, 'pod']]);
});

it('every top heading of a text with several begins a page', () => {
  assert.deepEqual(pages('# Bun\n\nfast\n\n## Install\n\nnow\n\n# Test runner\n\nrun'), [
    [1, 'bun'],
    [9, 'testrunner'],
  ]);
});

it('what nothing names has no page: neither a file name nor windows of lines', () => {
  assert.deepEqual(pages('only text'), []);
  assert.deepEqual(pages(''), []);
});
