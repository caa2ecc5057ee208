import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBlock } from '../../src/cli/vai/agents.ts';

const BLOCK = '<!-- vai:begin x -->\nnew\n<!-- vai:end -->';

test('text outside the block is never touched, and the same block changes nothing', () => {
  const text = '# Rules\r\n\r\nMine.\r\n\r\n<!-- vai:begin old -->\r\nold\r\n<!-- vai:end -->\r\nAlso mine.';
  const after = withBlock(text, BLOCK, 'AGENTS.md');
  assert.equal(
    after,
    '# Rules\r\n\r\nMine.\r\n\r\n<!-- vai:begin x -->\r\nnew\r\n<!-- vai:end -->\r\nAlso mine.',
  );
  assert.equal(withBlock(after, BLOCK, 'AGENTS.md'), after);
});

test('a file without a block gets it at its end, and no file gets only it', () => {
  assert.equal(withBlock('# Rules', BLOCK, 'AGENTS.md'), `# Rules\n\n${BLOCK}\n`);
  assert.equal(withBlock('', BLOCK, 'AGENTS.md'), `${BLOCK}\n`);
});

test('half a block is refused, not completed by guessing', () => {
  for (const text of ['<!-- vai:begin x -->', '<!-- vai:end -->', '<!-- vai:end --> <!-- vai:begin x -->'])
    assert.throws(() => withBlock(text, BLOCK, 'AGENTS.md'), { code: 'INVALID_INPUT' });
});
