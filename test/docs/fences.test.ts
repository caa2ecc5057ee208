import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandsOf, fencesOf } from '../../scripts/test-docs.ts';

test('fences are read with what they say of themselves', () => {
  const page = ['```bash', 'vai ping', '```', '```bash skip: needs Docker', 'docker ps', '```', '```file a/b.md', '# x', '```', '```json', '{}', '```', '```bash background 3100', 'serve', '```', '```bash mongodb', 'vai ping', '```'].join('\n'); // prettier-ignore
  assert.deepEqual(
    fencesOf('p.md', page).map(({ kind, detail, text, line }) => [kind, detail, text, line]),
    [['run', '', 'vai ping', 1], ['skip', 'needs Docker', 'docker ps', 4], ['file', 'a/b.md', '# x', 7], ['background', '3100', 'serve', 13], ['mongodb', '', 'vai ping', 16]], // prettier-ignore
  );
});

test('only the commands of a session are run', () => {
  assert.equal(commandsOf('$ vai ping\noutput\n$ vai models'), 'vai ping\nvai models');
  assert.equal(commandsOf('vai ping'), 'vai ping');
});
