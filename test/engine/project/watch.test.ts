import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import type { ProjectFile } from '../../../src/engine/project/plan.ts';
import type { SyncOutcome } from '../../../src/engine/project/sync.ts';
import { openBlz } from '../../support/blz-engine.ts';
import { writerIn } from '../../support/write-files.ts';

test('folders and files of a project are followed until it is stopped', async () => {
  const blz = await openBlz();
  const folder = join(blz.home, 'project');
  mkdirSync(join(folder, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'docs', 'tide.md'), '# Tide\n\nThe tide comes in at noon.\n');
  writeFileSync(join(folder, 'README.md'), '# Harbour\n\nBoats lie here.\n');
  writeFileSync(join(folder, 'other.md'), '# Other\n\nNobody asked for this.\n');
  const file = { folder, collection: 'harbour', folders: ['docs', 'README.md'], ignore: [], sources: [] };
  const reports: (SyncOutcome | VaiError)[] = [];
  let wake = (): void => undefined;
  const watching = await blz.engine.project.watch(blz.call, {
    path: join(folder, '.vai.json'),
    read: async () => file,
    agreed: false,
    report: (outcome) => {
      reports.push(outcome);
      wake();
    },
  });
  /** Waits for the runs that it takes until a question has this many hits. */
  const until = async (query: string, hits: number): Promise<void> => {
    for (;;) {
      const next = new Promise<void>((resolve) => (wake = resolve));
      const found =
        reports.length > 0 ? await blz.engine.docs.find(blz.call, { query, source: 'harbour' }) : undefined;
      if (found && found.hits.length === hits) return;
      await next;
    }
  };
  try {
    await until('"comes in at noon"', 1);
    assert.equal((reports[0] as SyncOutcome).message, '2 added, 0 changed, 0 unchanged, 0 removed');
    writeFileSync(join(folder, 'docs', 'ebb.md'), '# Ebb\n\nThe water leaves at dusk.\n');
    await until('"leaves at dusk"', 1);
    writeFileSync(join(folder, 'README.md'), '# Harbour\n\nShips of the line lie here.\n');
    await until('"ships of the line"', 1);
    rmSync(join(folder, 'docs', 'tide.md'));
    await until('"comes in at noon"', 0);
    assert.ok(reports.every((report) => !(report instanceof VaiError)));
  } finally {
    await watching.stop();
    await blz.close();
  }
});

test('a lockfile that moves and a changed .vai.json are followed; what vai sync would ask about is left to it', async () => {
  const blz = await openBlz();
  const folder = join(blz.home, 'project');
  const put = writerIn(folder);
  const installZod = (version: string): void => {
    put('node_modules/zod/package.json', { version });
    put('node_modules/zod/docs/api.md', `# Parsing\n\nThe parser of ${version}.\n`);
    put('package-lock.json', { packages: { 'node_modules/zod': { version } } });
  };
  put('package.json', { dependencies: { zod: '^4' } });
  put('docs/tide.md', '# Tide\n\nThe tide comes in at noon.\n');
  put('.vai.json', {});
  installZod('4.1.5');
  const zod = { alias: 'zod', package: 'npm:zod' };
  let file: ProjectFile = { folder, folders: [], ignore: [], sources: [zod] };
  const told: string[] = [];
  let wake = (): void => undefined;
  const watching = await blz.engine.project.watch(blz.call, {
    path: join(folder, '.vai.json'),
    read: async () => file,
    agreed: true,
    report(outcome) {
      assert.ok(!(outcome instanceof VaiError), outcome.message);
      const { action, name, version = '-', message } = outcome;
      told.push(`${action} ${name} ${version}: ${message}`);
      wake();
    },
  });
  const until = async (line: RegExp): Promise<void> => {
    while (!told.some((one) => line.test(one))) await new Promise<void>((resolve) => (wake = resolve));
  };
  try {
    await until(/^install zod 4\.1\.5/);
    installZod('4.2.0');
    await until(/^update zod 4\.2\.0/);
    const far = { alias: 'far', url: `${blz.server.origin}/llms.txt` };
    file = { ...file, collection: 'harbour', folders: ['docs'], sources: [zod, far] };
    put('.vai.json', { changed: true });
    await until(/^index harbour -: 1 added/);
    // Agreed is a collection, not an address.
    await until(/^leave far -: not fetched: .* run `vai sync` to agree to it$/);
    assert.equal(blz.server.requests.length, 0);
    // The folder that was named meanwhile is followed too.
    put('docs/ebb.md', '# Ebb\n\nThe water leaves at dusk.\n');
    await until(/^index harbour -: 1 added, 0 changed, 1 unchanged/);
    file = { ...file, sources: [] };
    put('.vai.json', { changed: 'again' });
    await until(/^remove zod/);
  } finally {
    await watching.stop();
    await blz.close();
  }
});

test('a project that names no folder, or whose collection is not its own, is not watched', async () => {
  const blz = await openBlz();
  const folder = join(blz.home, 'project');
  mkdirSync(join(folder, 'docs'), { recursive: true });
  const file = { folder, collection: 'mine', folders: ['docs'], ignore: [], sources: [] };
  const watch = (more: object, agreed = false) =>
    blz.engine.project.watch(blz.call, {
      path: join(folder, '.vai.json'),
      read: async () => ({ ...file, ...more }),
      agreed,
      report: () => undefined,
    });
  try {
    await assert.rejects(watch({ folders: [] }), /names no existing folder/);
    await assert.rejects(watch({ folders: ['nowhere'] }), /names no existing folder/);
    await blz.engine.ingest.text(blz.call, { text: 'Somebody else wrote this.', collection: 'mine' });
    await assert.rejects(watch({}), /did not create/);
    await (await watch({}, true)).stop();
  } finally {
    await blz.close();
  }
});
