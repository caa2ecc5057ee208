// Which database a server's keys may use beside the default one: that of a FlowRAG configuration the user trusts.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { vaiServer } from '../../../src/cli/vai/server.ts';
import { trustProject } from '../../../src/config/trust.ts';
import { testFrame } from '../../support/frame.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = tempFolder('server');

test('the database of a configuration is open once its project is trusted', async () => {
  const home = join(root, 'home');
  const project = join(root, 'project');
  mkdirSync(join(project, 'docs'), { recursive: true });
  const frame = testFrame(project, { VAI_HOME: home, HOME: root });
  const database = async () => vaiServer(frame).database!(await frame.settings());
  assert.equal(await database(), undefined, 'no configuration');
  writeFileSync(join(project, 'flowrag.config.json'), JSON.stringify({ docs: './docs', data: './data' }));
  assert.equal(await database(), undefined, 'not trusted');
  await trustProject(home, project);
  assert.equal(await database(), 'flowrag');
});
