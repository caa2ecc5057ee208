import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseRepository } from '../../../src/domain/source-address.ts';
import { createRegistry } from '../../../src/sources/registry/registry.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('the shipped entries are complete and well-formed', async () => {
  const { entries, notices } = await createRegistry().load();
  assert.equal(entries.length, 237);
  assert.deepEqual(notices, []);
  assert.equal(new Set(entries.map((entry) => entry.id)).size, entries.length);
  for (const entry of entries) {
    assert.match(entry.id, /^[a-z][a-z0-9-]*$/);
    if (entry.url.startsWith('github:')) assert.ok(parseRepository(entry.url));
    else assert.equal(new URL(entry.url).protocol, 'https:');
    // A version filled in is an address again.
    const versioned = entry.versioned?.replaceAll(/\{(?:version|major|minor)\}/g, '1');
    if (versioned) assert.match(parseRepository(versioned).ref!, /1/);
    assert.ok(entry.name && entry.description && entry.category, entry.id);
  }
  assert.equal(entries.filter((entry) => entry.versioned).length, 89);
  for (const id of 'typescript express fastapi zod tailwind tanstack-query django docker kubernetes stripe'.split(
    ' ',
  ))
    assert.ok(
      entries.some((entry) => entry.id === id),
      id,
    );
  assert.deepEqual(
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.id).toSorted(),
  );
  const packages = entries.flatMap(({ aliases: { github: _repositories, ...byEcosystem } }) =>
    Object.entries(byEcosystem).flatMap(([ecosystem, names]) => names.map((name) => `${ecosystem}:${name}`)),
  );
  const twice = packages.filter((name, at) => packages.indexOf(name) !== at && !/supabase/.test(name));
  assert.deepEqual(twice, [], 'a package has one documentation');
  const bun = entries.find((entry) => entry.id === 'bun');
  assert.equal(bun?.url, 'https://bun.sh/llms-full.txt');
  assert.equal(bun.fallback, 'https://bun.sh/llms.txt', 'a project that names it need not ask');
  assert.equal(entries.find((entry) => entry.id === 'rspack')?.fallback, 'https://rspack.rs/llms.txt');
  const uvicorn = entries.find((entry) => entry.id === 'uvicorn');
  assert.deepEqual(uvicorn?.aliases.github, ['Kludex/uvicorn', 'encode/uvicorn']);
  assert.deepEqual(entries.find((entry) => entry.id === 'pinecone')?.aliases.pypi, ['pinecone-client']);
});

test("the user's file wins, is read again when it changes, and says what is wrong in it", async () => {
  const folder = tempFolder('registry');
  const userFile = join(folder, 'registry.json');
  const registry = createRegistry({ userFile });
  assert.equal((await registry.load()).entries.length, 237);
  const mine = [
    { id: 'bun', url: 'https://bun.example/llms.txt' },
    { id: 'corp', url: 'https://docs.corp.example/llms-full.txt', name: 'Corp', category: 'internal' },
    { id: 'bad id', url: 'https://x.example/' },
    { id: 'nourl' },
  ];
  await writeFile(userFile, JSON.stringify(mine));
  const { entries, notices } = await registry.load();
  assert.equal(entries.length, 238);
  assert.equal(entries.find((entry) => entry.id === 'bun')?.url, 'https://bun.example/llms.txt');
  assert.equal(entries.find((entry) => entry.id === 'bun')?.fallback, undefined);
  assert.equal(entries.find((entry) => entry.id === 'corp')?.name, 'Corp');
  assert.equal(notices.length, 2);
  assert.match(notices[0]!, /Entry 3.*id/);
  await writeFile(userFile, '{ not json');
  await utimes(userFile, new Date(), new Date(Date.now() + 5000));
  const broken = await registry.load();
  assert.equal(broken.entries.length, 237);
  assert.match(broken.notices[0]!, /not valid JSON/);
  assert.doesNotMatch(broken.notices[0]!, /\//);
});
