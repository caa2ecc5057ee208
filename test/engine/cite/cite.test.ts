// What became of a citation, over texts in memory.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { createCite } from '../../../src/engine/cite/cite.ts';
import { sha256, textStore } from './text-store.ts';

const OLD = '# Rules\n\none\ntwo\n\n# Boats\n\nboats\n';
const rev = sha256(OLD).slice(0, 8);

function resolved(now: string, citation: string, archive = [OLD]) {
  const { deps } = textStore({ docs: { 'a.md': now } }, archive);
  return createCite(deps).resolve(localCall(), { citation });
}

it('is the same, pinned to the present text', async () => {
  for (const citation of ['docs/a.md:3', `docs/a.md:3@${rev}`])
    assert.deepEqual(await resolved(OLD, citation), {
      citation,
      resolution: { status: 'same', range: { start: 3, end: 3 } },
      current: `docs/a.md:3@${rev}`,
    });
});

it('has moved or changed, to lines with a citation of their own', async () => {
  const moved = `new\n${OLD}`;
  assert.deepEqual(await resolved(moved, `docs/a.md:3@${rev}`), {
    citation: `docs/a.md:3@${rev}`,
    resolution: { status: 'moved', range: { start: 4, end: 4 } },
    current: `docs/a.md:4@${sha256(moved).slice(0, 8)}`,
  });
  const changed = OLD.replace('two', 'TWO');
  assert.deepEqual(await resolved(changed, `docs/a.md:3-4@${rev}`), {
    citation: `docs/a.md:3-4@${rev}`,
    resolution: { status: 'changed', range: { start: 3, end: 4 }, removed: ['two'], added: ['TWO'] },
    current: `docs/a.md:3-4@${sha256(changed).slice(0, 8)}`,
  });
});

it('is the first of several ranges', async () => {
  const { current } = await resolved(OLD, 'docs/a.md:3,8');
  assert.equal(current, `docs/a.md:3@${rev}`);
});

it('is gone, with no place in the present text', async () => {
  assert.deepEqual(await resolved('# Rules\n\none\n', `docs/a.md:8@${rev}`), {
    citation: `docs/a.md:8@${rev}`,
    resolution: { status: 'gone' },
  });
});

it('cannot be followed where its version is no longer archived', async () => {
  await assert.rejects(resolved('other\n', `docs/a.md:3@${rev}`, []), {
    code: 'INVALID_CITATION',
    message: `No text with the hash @${rev} is kept, so its lines cannot be located.`,
  });
});
