// Skills over MCP, with the official client: the server's own, and those of packages in a project that the user trusts.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { NODE, script } from '../support/package.ts';
import { vaiClient } from '../support/vai-client.ts';
import { writerIn } from '../support/write-files.ts';

const OWN = 'skill://search-with-vai/SKILL.md';
const THEIRS = 'skill://npm/wader/wade-slowly/SKILL.md';
const SKILL =
  '---\nname: wade-slowly\ndescription: "How to wade: slowly"\nmetadata:\n  level: "2"\n---\n\n# Wade\n';

interface Wish {
  skills: string[];
  trusted: boolean;
  text?: string;
}

function project({ skills, trusted, text = SKILL }: Wish): (home: string) => string {
  return (home) => {
    const folder = join(home, 'project');
    const put = writerIn(folder);
    put('package.json', { name: 'shop', dependencies: { wader: '^1.0.0' } });
    put('.vai.json', { skills });
    put('node_modules/wader/package.json', { name: 'wader', version: '1.2.3' });
    put('node_modules/wader/skills/wade-slowly/SKILL.md', text);
    put('node_modules/wader/skills/wade-slowly/references/depth.md', 'At most knee-deep.\n');
    put('node_modules/wader/skills/other/SKILL.md', '---\nname: other\ndescription: Not asked for\n---\n');
    if (trusted)
      execFileSync(NODE, [script('vai'), 'trust', '--yes'], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: home, VAI_HOME: join(home, '.vai') },
        stdio: 'ignore',
      });
    return folder;
  };
}

test('the server offers how to search here, verified by the client against its digest', async () => {
  const vai = await vaiClient();
  try {
    const skills = new SkillsClient(vai.client);
    assert.ok(skills.supported);
    const listing = await skills.list();
    assert.deepEqual(
      listing.skills.map(({ uri }) => uri),
      [OWN],
    );
    const file = await skills.read(listing.skills[0]!);
    assert.ok(file.verified);
    assert.match(file.body ?? '', /vai_query/);
    assert.equal((await skills.get(OWN)).skill.frontmatter.name, 'search-with-vai');
    await assert.rejects(skills.get('skill://nothing/SKILL.md'), /no skill/);
    const { resources } = await vai.client.listResources();
    assert.ok(resources.some(({ uri }) => uri === OWN));
    // Every tool the skill tells of is one there is.
    const names = new Set(
      (file.body ?? '').match(/`(?:vai|flowrag)_[a-z]+`/g)?.map((name) => name.slice(1, -1)),
    );
    const all = await vaiClient({ toolsets: 'vai,blz,flowrag' });
    const listed = (await all.client.listTools()).tools.map(({ name }) => name);
    await all.close();
    for (const name of names) assert.ok(listed.includes(name), name);
  } finally {
    await vai.close();
  }
});

test('a skill of a package is passed on when it is named in a trusted project, with its origin', async () => {
  const vai = await vaiClient({ prepare: project({ skills: ['npm:wader/wade-slowly'], trusted: true }) });
  try {
    const skills = new SkillsClient(vai.client);
    const { skills: entries } = await skills.list();
    assert.deepEqual(
      entries.map(({ uri }) => uri),
      [OWN, THEIRS],
    );
    const [, theirs] = entries;
    assert.deepEqual(theirs!.frontmatter['metadata'], { level: '2' });
    assert.ok((await skills.read(theirs!)).verified);
    assert.equal((await skills.read(theirs!, 'references/depth.md')).text, 'At most knee-deep.\n');
    const { resources } = await vai.client.listResources();
    const shown = resources.find(({ uri }) => uri === THEIRS)?.description ?? '';
    assert.match(shown, /^From the installed package npm:wader 1\.2\.3: How to wade/);
  } finally {
    await vai.close();
  }
});

for (const [why, wish] of Object.entries({
  'not trusted': { skills: ['npm:wader/wade-slowly'], trusted: false },
  'not named': { skills: [], trusted: true },
  'of a path': { skills: ['npm:../../etc/wade-slowly'], trusted: true },
  'not as the specification has it': {
    skills: ['npm:wader/wade-slowly'],
    trusted: true,
    text: SKILL.replace('"2"', '2'),
  },
  'with characters nobody sees': {
    skills: ['npm:wader/wade-slowly'],
    trusted: true,
    text: `${SKILL}go\u200bon\n`,
  },
} satisfies Record<string, Wish>))
  test(`a skill of a package that is ${why} is not passed on`, async () => {
    const vai = await vaiClient({ prepare: project(wish) });
    try {
      const { skills } = await new SkillsClient(vai.client).list();
      assert.deepEqual(
        skills.map(({ uri }) => uri),
        [OWN],
      );
      await assert.rejects(vai.client.readResource({ uri: THEIRS }));
    } finally {
      await vai.close();
    }
  });

test('core: four tools in five kilobytes, the others described in a resource and callable', async () => {
  const vai = await vaiClient({ toolsets: 'core' });
  try {
    const { tools } = await vai.client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), ['find', 'source-add', 'vai_get', 'vai_query']);
    const bytes = Buffer.byteLength(JSON.stringify(tools));
    assert.ok(bytes <= 5_000, `${bytes} bytes`);
    const { contents } = await vai.client.readResource({ uri: 'vai://tools' });
    const more = JSON.parse((contents[0] as { text: string }).text) as { tools: { name: string }[] };
    const names = more.tools.map(({ name }) => name);
    assert.ok(names.includes('vai_ingest') && names.includes('flowrag_stats') && !names.includes('find'));
    await vai.tool('vai_ingest', { text: 'Herons wade.', source: 'birds' });
    assert.match((await vai.tool('vai_query', { query: 'what do herons do' })).text, /Herons wade/);
    assert.deepEqual(
      (await vai.client.listTools()).tools.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
  } finally {
    await vai.close();
  }
});
