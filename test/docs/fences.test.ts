import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { commandsOf, fencesOf, promisedBy } from '../../scripts/test-docs.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = (): string[] => [
  join(root, 'README.md'),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', name)),
];

test('fences are read with what they say of themselves', () => {
  const page = ['```bash', 'vai ping', '```', '```bash skip: needs Docker', 'docker ps', '```', 'Save this as `a/b.md`:', '', '```markdown', '# x', '```', '```json', '{}', '```', '```bash background 3100', 'serve', '```', '```bash mongodb', 'vai ping', '```'].join('\n'); // prettier-ignore
  assert.deepEqual(
    fencesOf('p.md', page).map(({ kind, detail, text, line }) => [kind, detail, text, line]),
    [['run', '', 'vai ping', 1], ['skip', 'needs Docker', 'docker ps', 4], ['file', 'a/b.md', '# x', 9], ['background', '3100', 'serve', 15], ['mongodb', '', 'vai ping', 18]], // prettier-ignore
  );
});

test('only the commands of a session are run', () => {
  assert.equal(commandsOf('$ vai ping\noutput\n$ vai models'), 'vai ping\nvai models');
  assert.equal(commandsOf('vai ping'), 'vai ping');
});

test('output under a command is promised', () => {
  assert.deepEqual(promisedBy('$ vai ping\noutput\n…\n\n$ vai models\nmore'), ['output', 'more']);
  assert.deepEqual(promisedBy('vai ping'), []);
});

test('a file has its name in the text, never only in the fence', () => {
  for (const page of pages()) assert.doesNotMatch(readFileSync(page, 'utf8'), /^```file\b/m, page);
});
