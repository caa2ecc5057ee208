// Which `.vai.json` counts, and what of it is honoured.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findProjectFile, shownProject, type ProjectFile } from '../../src/config/project-file.ts';
import type { Trust } from '../../src/config/trust.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = tempFolder('project-file');

let count = 0;
/** A folder within a project, with a file in either of them. */
function place(files: { above?: string; here?: string }): { project: string; cwd: string } {
  const project = join(root, String(++count));
  const cwd = join(project, 'inside');
  mkdirSync(cwd, { recursive: true });
  if (files.above !== undefined) writeFileSync(join(project, '.vai.json'), files.above);
  if (files.here !== undefined) writeFileSync(join(cwd, '.vai.json'), files.here);
  return { project, cwd };
}

function find(cwd: string, trust: Trust = 'unknown'): { found: ProjectFile | undefined; warnings: string[] } {
  const warnings: string[] = [];
  const found = findProjectFile({
    cwd,
    userHome: root,
    trustOf: () => trust,
    warn: (message) => warnings.push(message),
  });
  return { found, warnings };
}

const honoured = (file: object, trust?: Trust) => {
  const { found, warnings } = find(place({ here: JSON.stringify(file) }).cwd, trust);
  return { values: { ...found!.values }, contract: found!.contract, warnings };
};

describe('a project file', () => {
  it('is the nearest one, and says whether it is above', () => {
    const both = place({ above: '{"collection": "far"}', here: '{"collection": "near"}' });
    const { found } = find(both.cwd);
    assert.equal(found?.path, join(both.cwd, '.vai.json'));
    assert.equal(found.above, false);
    assert.equal(found.values.collection, 'near');
    const one = place({ above: '{"collection": "far"}' });
    const above = find(one.cwd).found;
    assert.equal(above?.path, join(one.project, '.vai.json'));
    assert.equal(above.above, true);
    assert.equal(above.contract.collection, 'far');
  });

  it('need not be there', () => assert.deepEqual(find(place({}).cwd), { found: undefined, warnings: [] }));

  it('that is broken stops in its own folder, and warns in those below', () => {
    assert.throws(() => find(place({ here: '{' }).cwd), { code: 'CONFIG_INVALID' });
    const { found, warnings } = find(place({ above: '{' }).cwd);
    assert.equal(found, undefined);
    assert.match(
      warnings[0]!,
      /^The file ~\/\d+\/\.vai\.json is not valid JSON \(line 1\)\. It was ignored\.$/,
    );
    assert.equal(warnings.length, 1);
  });

  it('holds at most a megabyte', () => {
    const text = '{"collection": "large"}';
    assert.equal(find(place({ here: text.padEnd(1_000_000) }).cwd).found?.values.collection, 'large');
    assert.throws(() => find(place({ here: text.padEnd(1_000_001) }).cwd), { message: /larger than 1 MB/ });
  });

  it('is shown from home, elsewhere without its folder', () => {
    assert.equal(shownProject('/home/me/work/.vai.json', '/home/me'), '~/work/.vai.json');
    assert.equal(shownProject('/srv/secret/.vai.json', '/home/me'), '<project>/.vai.json');
  });
});

describe('what a project file says', () => {
  const NEEDS_TRUST = { db: 'theirs', skills: ['deploy'] };

  it('is honoured as far as it only narrows, until the project is trusted', () => {
    const { values, contract, warnings } = honoured({ collection: 'ours', ...NEEDS_TRUST });
    assert.deepEqual(values, { collection: 'ours' });
    assert.deepEqual(contract.skills, []);
    assert.deepEqual(warnings, [
      '.vai.json: not honoured: `db`, `skills`. To allow it, run `vai trust` in the folder of the file.',
    ]);
    const changed = honoured(NEEDS_TRUST, 'changed');
    assert.deepEqual([changed.values, changed.contract.skills], [{}, []]);
    assert.match(changed.warnings[0]!, /It has changed since you trusted it/);
  });

  it('is honoured whole in a trusted project', () => {
    const { values, contract, warnings } = honoured({ collection: 'ours', ...NEEDS_TRUST }, 'trusted');
    assert.deepEqual(values, { collection: 'ours', db: 'theirs' });
    assert.deepEqual(contract.skills, ['deploy']);
    assert.deepEqual(warnings, []);
  });

  it('needs trust for one setting as for several', () => {
    assert.match(honoured({ db: 'theirs' }).warnings[0]!, /not honoured: `db`\./);
    assert.match(honoured({ skills: [] }).warnings[0]!, /not honoured: `skills`\./);
  });

  it('may be written for other tools without a warning', () => {
    const silent = {
      version: 1,
      $schema: 'x',
      name: 'n',
      description: 'd',
      folders: [],
      ignore: [],
      sources: [],
    };
    assert.deepEqual(honoured(silent).warnings, []);
  });

  it('is ignored where nobody knows the name, and a warning names the first five', () => {
    const warned = (names: string[]) =>
      honoured(Object.fromEntries(names.map((name) => [name, 1]))).warnings.join('\n');
    assert.match(
      warned(['a']),
      /^\.vai\.json: ignored `a`; a project file may hold version, .*folders, .*db, collection, model, /,
    );
    assert.match(warned(['a', 'b', 'c', 'd', 'e']), /ignored `a`, `b`, `c`, `d`, `e`;/);
    assert.match(warned(['a', 'b', 'c', 'd', 'e', 'f']), /ignored `a`, `b`, `c`, `d`, `e` and more;/);
    assert.match(warned(['a\nb`c']), /ignored `a\?b\?c`;/);
    assert.match(warned(['n'.repeat(99)]), /ignored `n{40}`;/);
  });
});
