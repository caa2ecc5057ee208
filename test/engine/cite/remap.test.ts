// A pinned citation followed into the present text, over texts in memory.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { locate } from '../../../src/engine/cite/locate.ts';
import { remap } from '../../../src/engine/cite/remap.ts';
import { sha256, textStore } from './text-store.ts';

const OLD = '# Rules\n\none\ntwo\nthree\n\n# Boats\n\nboats\n';
const rev = sha256(OLD).slice(0, 8);

async function remapped(now: string, citation: string, archive = [OLD]) {
  const { store, visible } = textStore({ docs: { 'a.md': now } }, archive);
  const located = await locate(store, visible, citation, []);
  return remap(store, located, located.citation.ranges[0]!);
}

it('lines that are not pinned, or pinned to the present text, stay as they are', async () => {
  assert.deepEqual(await remapped(OLD, 'docs/a.md:3-4'), { range: { start: 3, end: 4 }, archivedLines: 0 });
  assert.deepEqual(await remapped(OLD, `docs/a.md:3-4@${rev}`), {
    range: { start: 3, end: 4 },
    archivedLines: 0,
    status: 'same',
  });
  assert.deepEqual(await remapped(`${OLD}more\n`, `docs/a.md:3-4@${rev}`), {
    range: { start: 3, end: 4 },
    archivedLines: 0,
    status: 'same',
  });
});

it('lines of a version that is not archived are those of the present text, with a notice', async () => {
  assert.deepEqual(await remapped('other\n', `docs/a.md:3@${rev}`, []), {
    range: { start: 3, end: 3 },
    archivedLines: 0,
    notice: {
      code: 'stale_citation',
      message: `The text with the hash @${rev} is not kept; these are the lines of the current text.`,
    },
  });
});

it('lines that moved are told with both places', async () => {
  const { range, status, notice } = await remapped(`new\n${OLD}`, `docs/a.md:3-4@${rev}`);
  assert.deepEqual([range, status], [{ start: 4, end: 5 }, 'moved']);
  assert.deepEqual(notice, { code: 'remapped', message: `Lines 3-4 of @${rev} are now 4-5.` });
});

it('lines that changed are told with how many came and went', async () => {
  const changes = [
    ['two', 'TWO', '1 line removed and 1 line added'],
    ['two', 'TWO\nTOO', '1 line removed and 2 lines added'],
    ['two\n', '', '1 line removed and 0 lines added'],
  ] as const;
  for (const [from, to, counts] of changes) {
    const { status, notice } = await remapped(OLD.replace(from, to), `docs/a.md:3-5@${rev}`);
    assert.deepEqual([status, notice!.code], ['changed', 'changed']);
    assert.match(notice!.message, new RegExp(`^Lines 3-5 of @${rev} are now 3-\\d, with ${counts}\\.$`));
  }
});

it('lines that are gone come from the archive', async () => {
  assert.deepEqual(await remapped('# Rules\n\none\n', `docs/a.md:9@${rev}`), {
    range: { start: 9, end: 9 },
    status: 'gone',
    archived: OLD,
    archivedLines: 9,
    notice: {
      code: 'stale_citation',
      message: `These lines are gone from the current text; they are shown from the archived version @${rev}.`,
    },
  });
});
