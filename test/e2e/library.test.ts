// vai as a library, from the packed and installed package: the example of the docs, and every method.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fencesOf } from '../../scripts/test-docs.ts';
import { installed, NODE } from '../support/package.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = tempFolder('library');
symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));

function run(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  const env = { PATH: process.env['PATH'], HOME: folder, VAI_HOME: join(folder, 'home') };
  return execFileSync(NODE, [name], { cwd: folder, env, encoding: 'utf8' });
}

test('the example of the docs prints what the docs show', () => {
  const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
  const file = fencesOf('library.md', page).find(({ kind }) => kind === 'file');
  const printed = run(file!.detail, file!.text);
  assert.equal(printed, /^```text\n([\s\S]*?)^```$/m.exec(page)?.[1]);
});

test('files, graph and errors', () => {
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs', 'auth.md'), '# Auth\n\nAuth Service uses Redis.\n');
  const printed = run(
    'all.mjs',
    `import { openKnowledge } from 'vai-knowledge';
     const knowledge = await openKnowledge({ home: ${JSON.stringify(join(folder, 'other'))} });
     const first = await knowledge.ingest('docs', { collection: 'team' });
     const second = await knowledge.ingest(['docs'], { collection: 'team', sync: true });
     await knowledge.graph.build('team');
     const relations = await knowledge.graph.relations('Redis', { collection: 'team' });
     const code = await knowledge.cite('team/none.md:1').catch((error) => error.code);
     console.log(JSON.stringify({ first, second, relations, code }));
     await knowledge.close();`,
  );
  const { first, second, relations, code } = JSON.parse(printed) as {
    first: { added: number };
    second: { added: number; unchanged: number };
    relations: { source: string; type: string; target: string; evidence: string[] }[];
    code: string;
  };
  assert.equal(first.added, 1);
  assert.deepEqual([second.added, second.unchanged], [0, 1]);
  assert.deepEqual(
    [relations[0]!.source, relations[0]!.type, relations[0]!.target],
    ['Auth Service', 'USES', 'Redis'],
  );
  assert.match(relations[0]!.evidence[0]!, /^team\/auth\.md:3/);
  assert.equal(code, 'DOCUMENT_NOT_FOUND');
});

test('its types check, and hold what a caller is likely to get wrong', () => {
  const types = readFileSync(join(installed, 'node_modules/vai-knowledge/dist/library.d.ts'), 'utf8');
  assert.match(types, /export declare function openKnowledge/);
  assert.doesNotMatch(types, /^import /m, 'nothing outside of it is needed');
});
