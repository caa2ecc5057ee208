// Of several versions of one page an answer shows one.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { localCall } from '../../../src/engine/call.ts';
import type { Candidate } from '../../../src/engine/search/rerank.ts';
import { versionsFor } from '../../../src/engine/search/versions.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const TEXT = 'Install the operator with helm, then apply the manifest and wait until all pods are ready';

function candidate(path: string, text = TEXT, more: object = {}): Candidate {
  const chunk = { collection: 'c', path, headingPath: ['Install'], text, ...more };
  return { chunk, score: 1 } as unknown as Candidate;
}

const chosen = (question: string, ...candidates: Candidate[]): string[] =>
  versionsFor(question)
    .choose(candidates)
    .map(({ chunk }) => chunk.path);

describe('versions of a page', () => {
  const pages = ['docs/v2.9/install.md', 'docs/v2.10/install.md', 'docs/v2.2/install.md'].map((path) =>
    candidate(path),
  );

  it('the newest stands for all, numbers being compared as numbers', () => {
    assert.deepEqual(chosen('how do I install it', ...pages), ['docs/v2.10/install.md']);
  });

  it('the one the question names goes before', () => {
    assert.deepEqual(chosen('install 2.2 on kind', ...pages), ['docs/v2.2/install.md']);
  });

  it('one that is named by a version of it goes before, too', () => {
    assert.deepEqual(chosen('install 2.2.3 on kind', ...pages), ['docs/v2.2/install.md']);
    assert.deepEqual(chosen('install 2.21', ...pages), ['docs/v2.10/install.md']);
  });

  it('all that the question names are kept', () => {
    assert.deepEqual(chosen('what changed from 2.2 to 2.9', ...pages), [
      'docs/v2.9/install.md',
      'docs/v2.2/install.md',
    ]);
  });

  it('a page that only an older version has is kept, in its place', () => {
    const [first, old] = [candidate('guide.md'), candidate('docs/v2.2/legacy.md')];
    assert.deepEqual(chosen('install', first, old, ...pages), [
      'guide.md',
      'docs/v2.2/legacy.md',
      'docs/v2.10/install.md',
    ]);
  });

  it('other texts under such paths are all kept: chapters, source code, sections with other words', () => {
    const other = 'Chapter two is about ownership and borrowing, and what the compiler says when both meet';
    assert.equal(chosen('install', candidate('1/index.md'), candidate('2/index.md', other)).length, 2);
    const code = { defines: ['install'] };
    assert.equal(
      chosen('install', candidate('v1/a.go', TEXT, code), candidate('v2/a.go', TEXT, code)).length,
      2,
    );
  });

  it('a text that says more of what is asked is kept: another chapter, what a newer version left out', () => {
    const about = (topic: string): string =>
      `Exercise: write a program about ${topic} and test it, then read on`;
    const exercises = ['lists', 'trees', 'graphs'].map((topic, at) =>
      candidate(`${at + 1}/exercises.md`, about(topic)),
    );
    assert.deepEqual(chosen('exercise about trees', ...exercises), ['2/exercises.md', '3/exercises.md']);
    assert.deepEqual(chosen('exercise about a tree or a list', ...exercises).slice(0, 2), [
      '1/exercises.md',
      '2/exercises.md',
    ]);
    assert.deepEqual(chosen('which exercise is there', ...exercises), ['3/exercises.md']);
  });

  it('nothing that is chosen later is a version of what was shown', () => {
    const versions = versionsFor('install');
    versions.show(versions.choose(pages.slice(0, 1)));
    assert.deepEqual(versions.choose(pages.slice(1)), []);
  });
});

describe('a collection of many versions', () => {
  const call = localCall();
  let temp: TempEngine;
  before(async () => {
    temp = await tempEngine();
    for (let version = 1; version <= 60; version += 1) {
      const file = join(temp.home, `docs/v1.${version}/install.md`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `# Installing\n\n${TEXT}.\n`);
    }
    writeFileSync(
      join(temp.home, 'docs/other.md'),
      '# Uninstalling\n\nDelete the manifest, and helm removes the pods.\n',
    );
    await temp.engine.ingest.files(call, { paths: [join(temp.home, 'docs')], collection: 'docs' });
  });
  after(() => temp.close());

  for (const mode of ['words', 'hybrid'] as const)
    it(`answers with the newest and with what stands beside it (${mode})`, async () => {
      const { hits } = await temp.engine.search.run(call, {
        query: 'install the manifest with helm',
        mode,
        limit: 5,
      });
      assert.deepEqual(
        hits.map(({ path }) => path),
        ['v1.60/install.md', 'other.md'],
      );
    });
});
