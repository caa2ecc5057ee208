import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { GUIDE, openBlz, type BlzFixture } from '../../support/blz-engine.ts';

async function withGuide(work: (blz: BlzFixture, db: DatabaseSync) => Promise<void>): Promise<void> {
  const blz = await openBlz();
  try {
    blz.server.set('/guide.md', GUIDE);
    await blz.engine.docs.add(blz.call, { alias: 'guide', url: `${blz.server.origin}/guide.md` });
    const db = new DatabaseSync(join(blz.home, 'data', 'data', 'vai.db'));
    try {
      await work(blz, db);
    } finally {
      db.close();
    }
  } finally {
    await blz.close();
  }
}

describe('validate finds damage, and the command exits with 7', () => {
  const cases: [string, string, RegExp][] = [
    ['a changed byte', "UPDATE pieces SET text = replace(text, 'Welcome', 'Wilcome')", /checksum/],
    ['a wrong line count', 'UPDATE documents SET lines = lines + 1', /lines/],
    ['a lost outline entry', "UPDATE heading_trees SET tree = '[]'", /outline/],
    ['a missing index', 'DELETE FROM word_segments', /index|words/],
    ['missing chunks', 'DELETE FROM chunks WHERE id IN (SELECT id FROM chunks LIMIT 1)', /chunks|index/],
  ];
  for (const [what, sql, pattern] of cases) {
    test(what, async () => {
      await withGuide(async (blz, db) => {
        db.exec(sql);
        const [report] = await blz.engine.docs.validate(blz.call, { alias: 'guide' });
        assert.equal(report!.status, 'error');
        assert.match(report!.issues.join('; '), pattern);
        const { value } = await blz.tool('run-command', { command: 'validate', source: 'guide' });
        assert.equal(value.exitCode, 7);
      });
    });
  }
});

test('a refresh killed at any point leaves the old version or the new one, whole', async () => {
  const blz = await openBlz();
  try {
    const version = (number: number): string =>
      [
        `# Version ${number}`,
        ...Array.from({ length: 3000 }, (_, at) => `## Part ${at}\n\nText ${number}.${at}.`),
      ].join('\n\n') + '\n';
    const script = resolve(import.meta.dirname, '../../../src/cli/bin/blz.ts');
    for (const delay of [0, 60, 150, 300]) {
      // A source of its own each time: the dead process still holds the lock of the last one for a while.
      const alias = `big${delay}`;
      const path = `/${alias}.md`;
      blz.server.set(path, version(1));
      await blz.engine.docs.add(blz.call, { alias, url: blz.server.origin + path });
      blz.server.set(path, version(2));
      const child = spawn(process.execPath, [script, 'update', alias], {
        env: { PATH: process.env.PATH ?? '', ...blz.env },
        stdio: 'ignore',
      });
      const gone = once(child, 'exit');
      while (blz.server.count(path) < 2) await new Promise((done) => setTimeout(done, 5));
      const timer = setTimeout(() => child.kill('SIGKILL'), delay);
      await gone;
      clearTimeout(timer);
      const [report] = await blz.engine.docs.validate(blz.call, { alias });
      assert.notEqual(report!.status, 'error', report!.issues.join('; '));
      const { snippets } = await blz.engine.docs.find(blz.call, {
        snippets: [`${alias}:1`, `${alias}:12001`],
      });
      const number = /^# Version (\d)$/.exec(snippets[0]!.content)?.[1];
      assert.equal(snippets[1]!.content, `Text ${number}.2999.`);
      const { hits } = await blz.engine.docs.find(blz.call, { query: `"Text ${number}.77"`, source: alias });
      assert.equal(hits.length > 0, true);
    }
  } finally {
    await blz.close();
  }
});
