// Which projects are trusted, on real folders; and what a project asks for that needs it.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  distrustProject,
  notHonoured,
  trustedProjects,
  trustIn,
  trustProject,
} from '../../src/config/trust.ts';
import { trustRequests } from '../../src/config/trust-requests.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = tempFolder('trust');

let count = 0;
function place(files: Record<string, string> = {}): { home: string; project: string } {
  const at = join(root, String(++count));
  const project = join(at, 'project');
  mkdirSync(project, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  return { home: join(at, 'home'), project };
}

describe('trust', () => {
  it('is given by path and content, and taken back', async () => {
    const { home, project } = place({ '.vai.json': '{}' });
    assert.equal(trustIn(home)(project), 'unknown');
    assert.equal(await distrustProject(home, project), false);
    assert.equal(existsSync(home), false, 'nothing is written for what was not trusted');
    await trustProject(home, project);
    assert.equal(trustIn(home)(project), 'trusted');
    assert.deepEqual(trustedProjects(home), [project]);
    const link = join(root, `link${count}`);
    symlinkSync(project, link);
    assert.equal(trustIn(home)(link), 'trusted', 'by whatever name it is reached');
    assert.equal(await distrustProject(home, link), true);
    assert.deepEqual(trustedProjects(home), []);
    assert.equal(trustIn(home)(project), 'unknown');
  });

  it('ends when a file changes, comes or goes', async () => {
    for (const [name, text] of [
      ['.vai.json', '{ }'],
      ['.env', 'A=1'],
      ['flowrag.config.json', '{}'],
    ] as const) {
      const { home, project } = place({ '.vai.json': '{}' });
      await trustProject(home, project);
      writeFileSync(join(project, name), text);
      assert.equal(trustIn(home)(project), 'changed', name);
    }
    const { home, project } = place({ '.vai.json': '{}' });
    await trustProject(home, project);
    rmSync(join(project, '.vai.json'));
    assert.equal(trustIn(home)(project), 'changed');
  });

  it('ends when content moves from one file into another', async () => {
    const { home, project } = place({ '.env': '', '.vai.json': 'a.vai.json\0absent\0b' });
    await trustProject(home, project);
    writeFileSync(join(project, '.env'), '.vai.json\0absent\0a');
    writeFileSync(join(project, '.vai.json'), 'b');
    assert.equal(trustIn(home)(project), 'changed');
  });

  it('is asked of the list once', async () => {
    const { home, project } = place({ '.vai.json': '{}' });
    const trust = trustIn(home);
    assert.equal(trust(project), 'unknown');
    await trustProject(home, project);
    assert.equal(trust(project), 'unknown');
    assert.equal(trustIn(home)(project), 'trusted');
    assert.deepEqual(trustedProjects(home), [project]);
    const other = place({ '.vai.json': '{}' });
    await trustProject(home, other.project);
    assert.deepEqual(trustedProjects(home), [project, other.project].sort(), 'beside those known');
    assert.equal(await distrustProject(home, project), true);
    assert.deepEqual(trustedProjects(home), [other.project]);
  });

  it('is never given to a file that is too large or not a regular file', async () => {
    const { home, project } = place({ '.vai.json': '#'.repeat(1_000_001) });
    await trustProject(home, project);
    assert.equal(trustIn(home)(project), 'changed');
    writeFileSync(join(project, '.vai.json'), '#'.repeat(1_000_000));
    await trustProject(home, project);
    assert.equal(trustIn(home)(project), 'trusted');
    mkdirSync(join(project, '.env'));
    await trustProject(home, project);
    assert.equal(trustIn(home)(project), 'changed');
  });

  it('is given to nobody when the list cannot be read', async () => {
    const { home, project } = place({ '.vai.json': '{}' });
    await trustProject(home, project);
    writeFileSync(join(home, 'trusted.json'), 'nonsense');
    assert.equal(trustIn(home)(project), 'unknown');
    assert.deepEqual(trustedProjects(home), []);
  });

  it('that is missing is reported with what to do', () => {
    assert.equal(
      notHonoured('.vai.json', ['`db`', '`model`'], 'unknown'),
      '.vai.json: not honoured: `db`, `model`. To allow it, run `vai trust` in the folder of the file.',
    );
    assert.match(notHonoured('.env', ['`X`'], 'changed'), /It has changed since you trusted it: run/);
  });
});

describe('what a project asks for', () => {
  it('is shown as written, keys by their names, and nothing that needs no trust', () => {
    const { project } = place({
      '.vai.json': JSON.stringify({
        db: 'team',
        collection: 'notes',
        skills: ['deploy'],
        chunk: {},
        ignore: ['x'],
      }),
      'flowrag.config.json': JSON.stringify({
        docs: './docs',
        exclude: ['x'],
        data: '/elsewhere',
        embedder: { provider: 'x' },
      }),
      '.env': 'GEMINI_API_KEY=secret\nPATH=/bad\n',
    });
    assert.deepEqual(trustRequests(project, root), [
      '.vai.json: db = team',
      '.vai.json: skills = ["deploy"]',
      'flowrag.config.json: data = /elsewhere',
      'flowrag.config.json: embedder = {"provider":"x"}',
      '.env: GEMINI_API_KEY',
    ]);
  });

  it('names documents outside, long values in short, and a file that cannot be read', () => {
    const outside = place({ 'flowrag.config.json': '{"docs": "../other"}' });
    assert.deepEqual(trustRequests(outside.project, root), ['flowrag.config.json: docs = ../other']);
    const odd = place({ 'flowrag.config.json': '{"docs": 7}' });
    assert.deepEqual(trustRequests(odd.project, root), ['flowrag.config.json: docs = 7']);
    const long = place({ '.vai.json': JSON.stringify({ model: 'm'.repeat(121) }) });
    assert.deepEqual(trustRequests(long.project, root), [`.vai.json: model = ${'m'.repeat(120)}…`]);
    const exact = place({ '.vai.json': JSON.stringify({ model: 'm'.repeat(120) }) });
    assert.deepEqual(trustRequests(exact.project, root), [`.vai.json: model = ${'m'.repeat(120)}`]);
    const broken = place({ '.vai.json': '{' });
    assert.match(trustRequests(broken.project, root)[0]!, /^\.vai\.json: .*JSON/);
    const large = place({ '.vai.json': '{"db": "x"}'.padEnd(1_000_001) });
    assert.deepEqual(trustRequests(large.project, root), [
      '.vai.json: The file .vai.json is larger than 1 MB.',
    ]);
    assert.deepEqual(trustRequests(place().project, root), []);
  });
});
