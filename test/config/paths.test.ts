import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { liesInside, realPath, shownPath } from '../../src/config/paths.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = tempFolder('paths');

test('a path is shown from home, or by its last name', () => {
  assert.equal(shownPath('/home/me', '/home/me'), '~');
  assert.equal(shownPath('/home/me/a/b', '/home/me'), '~/a/b');
  assert.equal(shownPath('/home/other/secret.txt', '/home/me'), 'secret.txt');
  assert.equal(shownPath('/etc/passwd', '/home/me'), 'passwd');
});

test('inside is inside, also when links are followed', () => {
  const project = join(root, 'project');
  mkdirSync(join(project, 'docs'), { recursive: true });
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(project, 'out'));
  symlinkSync(join(project, 'docs'), join(project, 'in'));
  assert.equal(liesInside(project, project), true);
  assert.equal(liesInside(project, join(project, 'docs')), true);
  assert.equal(liesInside(project, join(project, 'in')), true);
  assert.equal(liesInside(project, join(project, 'not there')), true);
  assert.equal(liesInside(project, join(project, '..names')), true);
  assert.equal(liesInside(project, join(project, 'out')), false);
  assert.equal(liesInside(project, root), false);
  assert.equal(liesInside(project, join(root, 'elsewhere')), false);
  assert.equal(liesInside(project, join(root, 'not there')), false);
});

test('a real path follows links, and is as written where nothing is', () => {
  mkdirSync(join(root, 'real'));
  symlinkSync(join(root, 'real'), join(root, 'link'));
  assert.equal(realPath(join(root, 'link')), join(root, 'real'));
  assert.equal(realPath(join(root, 'nothing')), join(root, 'nothing'));
});
