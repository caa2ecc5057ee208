// What `blz search` has beside the tool: pages, every hit, hits chosen by their heading, longer excerpts.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { FindHit } from '../../../src/engine/docs/types.ts';
import { runBlz, type BlzOptions } from './support.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Words that make each section its own, so that none is taken for a copy of another. */
const SUBJECTS =
  'harbour lantern meadow needle orchard pebble quarry river saddle timber umbrella valley'.split(' ');
const SECTIONS = 60;

const blz = (args: string[], options?: BlzOptions) => runBlz({ cwd: home, env }, args, options);
const home = tempFolder('blzsearch');
let env: Record<string, string>;

before(async () => {
  env = { VAI_HOME: join(home, 'data') };
  const sections = Array.from({ length: SECTIONS }, (_, at) => {
    const word = SUBJECTS[at % SUBJECTS.length]!;
    const marks = at % 3 === 0 ? '##' : '###';
    const title = at % 10 === 0 ? `Turbine ${at}` : `Part ${at}`;
    const body = SUBJECTS.map((other, turn) => `${other} ${at * 7 + turn} ${word}`).join(', ');
    return `${marks} ${title}\n\nThe turbine number ${at} of the ${word}: ${body}.\n`;
  });
  await writeFile(join(home, 'parts.md'), `# Parts\n\nAll of them.\n\n${sections.join('\n')}`);
  await writeFile(join(home, 'other.md'), '# Other\n\n## Pumps\n\nA pump is no engine.\n');
  for (const name of ['parts', 'other']) {
    const added = await blz(['add', name, `${name}.md`]);
    assert.equal(added.code, 0, added.stderr);
  }
});

const places = (hits: readonly FindHit[]): string[] => hits.map((hit) => `${hit.alias}:${hit.lines}`);

describe('pages', () => {
  test('follow each other, each hit once, and the last one says so', async () => {
    const seen: string[] = [];
    let page: number | undefined = 1;
    for (let turn = 0; page !== undefined && turn < 10; turn++) {
      const result = (await blz(['search', 'turbine', '-n', '25', '--page', String(page)])).json();
      assert.equal(result.page, page);
      seen.push(...places(result.hits));
      page = result.nextPage;
    }
    assert.equal(page, undefined);
    assert.equal(seen.length, SECTIONS);
    assert.equal(new Set(seen).size, SECTIONS);
    assert.deepEqual(places((await blz(['search', 'turbine', '--all'])).json().hits), seen);
  });

  test('without --page the answer is the one of the tool, and a person is told of the next', async () => {
    const plain = (await blz(['search', 'turbine'])).json();
    assert.equal(plain.page, undefined);
    assert.equal(plain.hits.length, 10);
    const shown = await blz(['search', 'turbine'], { tty: true });
    assert.match(shown.stdout, /\n\nMore: add --page 2\n$/);
    assert.doesNotMatch((await blz(['search', 'pump'], { tty: true })).stdout, /More/);
  });

  test('a page that does not exist, and one beyond the reachable hits', async () => {
    const beyond = await blz(['search', 'pump', '--page', '2', '-f', 'text']);
    assert.equal(beyond.code, 3);
    assert.match(beyond.stderr, /no page 2/);
    const deep = await blz(['search', 'pump', '-n', '50', '--page', '21']);
    assert.equal(deep.code, 2);
    assert.match(deep.stderr, /first 1000/);
    assert.equal((await blz(['search', 'pump', '--all', '--page', '2'])).code, 2);
    assert.equal((await blz(['search', 'pump', '--page', '0'])).code, 2);
  });
});

describe('headings', () => {
  test('-H keeps hits under headings of those levels', async () => {
    const under = async (levels: string): Promise<number> =>
      (await blz(['search', 'turbine', '--all', '-H', levels])).json().hits.length;
    assert.equal(await under('2'), SECTIONS / 3);
    assert.equal(await under('3'), (SECTIONS * 2) / 3);
    assert.equal(await under('>=2'), SECTIONS);
    assert.equal((await blz(['search', 'turbine', '-H', 'two'])).code, 2);
  });

  test('pages of chosen hits have no gaps', async () => {
    const all = places((await blz(['search', 'turbine', '--all', '-H', '2'])).json().hits);
    const pages: string[] = [];
    for (const page of ['1', '2', '3']) {
      const result = (await blz(['search', 'turbine', '-H', '2', '-n', '8', '--page', page])).json();
      assert.equal(result.nextPage, page === '3' ? undefined : Number(page) + 1);
      pages.push(...places(result.hits));
    }
    assert.deepEqual(pages, all);
  });

  test('--headings-only wants the word in the heading itself', async () => {
    const hits: FindHit[] = (await blz(['search', 'turbine', '--all', '--headings-only'])).json().hits;
    assert.equal(hits.length, SECTIONS / 10);
    assert.ok(hits.every((hit) => hit.headingPath.at(-1)!.startsWith('Turbine')));
    const none = await blz(['search', 'harbour', '--headings-only', '-f', 'text']);
    assert.equal(none.code, 3);
    assert.match(none.stderr, /No heading among \d+ hits fits/);
  });
});

test('on a terminal the verdict comes first, and what the figures of a hit are', async () => {
  const { stdout } = await blz(['search', 'pump engine', '-s', 'other'], { tty: true });
  assert.match(stdout, /^Verdict: \w+.*\n\n1\. other:\d+-\d+ {2}score 100 {2}relevance 0\.\d\d\n/);
});

test('on a terminal `blz list` names what is installed and counts the rest', async () => {
  const listed = async (...args: string[]): Promise<string[]> =>
    (await blz(['list', ...args], { tty: true })).stdout.trim().split('\n');
  const installed = await listed();
  assert.ok(installed.length <= 5, installed.join('\n'));
  assert.match(installed.at(-1)!, /^\d{3} sources in the registry: .*blz list --all/);
  assert.ok((await listed('--all')).length > 200);
  assert.ok((await listed('--filter', 'hono')).some((line) => line.startsWith('hono ')));
});

test('`blz update` and `blz history` call a change the same', async () => {
  await writeFile(join(home, 'other.md'), '# Other\n\n## Pumps\n\nA pump is no engine.\nIt pumps.\n');
  const { stdout } = await blz(['update', 'other'], { tty: true });
  assert.match(stdout, /^other {2}updated /);
  assert.match((await blz(['history', 'other'], { tty: true })).stdout, / other {2}updated /);
});

test('--max-chars sets how long the excerpts are', async () => {
  const excerpt = async (...args: string[]): Promise<string> =>
    (await blz(['search', 'turbine number 12', '-n', '1', ...args])).json().hits[0].snippet;
  const short = await excerpt('--max-chars', '60');
  const usual = await excerpt();
  const long = await excerpt('--max-chars', '1000');
  assert.ok(short.length <= 66, short);
  assert.ok(usual.length > 150 && usual.length <= 206, usual);
  assert.ok(long.length > usual.length, long);
  assert.match(short, /turbine/);
  const shown = await blz(['search', 'turbine number 12', '-n', '1', '--max-chars', '1000'], { tty: true });
  assert.ok(
    shown.stdout.replaceAll(/\s+/g, ' ').includes(long.replaceAll(/\s+/g, ' ')),
    'wrapped, and whole',
  );
  assert.equal((await blz(['search', 'x', '--max-chars', '20'])).code, 2);
});
