// An index that is followed, refreshed while some of its pages are away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBlz } from '../../support/blz-engine.ts';
import * as play from '../../support/docs-server.ts';

test('a page that fails on a refresh keeps its text and is named; one that is gone goes', async () => {
  const blz = await openBlz();
  try {
    const page = (name: string, text: string): void =>
      blz.server.set(`/site/${name}.md`, `# Page ${name}\n\n${text}\n\n## More of ${name}\n\nDetails.\n`);
    const index = (...names: string[]): void =>
      blz.server.set(
        '/site/llms.txt',
        `# Site\n\n${names.map((name) => `- [${name}](/site/${name}.md)`).join('\n')}\n`,
      );
    const update = async () => (await blz.engine.docs.update(blz.call, { aliases: ['site'] }))[0]!;
    const found = async (query: string): Promise<number> =>
      (await blz.engine.docs.find(blz.call, { query, source: 'site' })).hits.length;
    index('a', 'b', 'c');
    page('a', 'About pangolins.');
    page('b', 'About aardvarks.');
    page('c', 'About okapis.');
    await blz.engine.docs.add(blz.call, { alias: 'site', url: `${blz.server.origin}/site/llms.txt` });

    blz.server.set('/site/b.md', play.status(500));
    const failed = await update();
    assert.equal(failed.status, 'partial');
    assert.match(failed.notices.join(), /1 page could not be read, for example \S*\/site\/b\.md \(.*500/);
    assert.match(failed.notices.join(), /2 unchanged, 0 changed, 0 new, 0 gone, 1 kept/);
    assert.ok((await found('aardvarks')) > 0);

    index('a', 'b', 'c', 'd');
    page('a', 'About pangolins and tapirs.');
    page('d', 'About numbats.');
    blz.server.set('/site/c.md', play.status(404));
    const changed = await update();
    assert.equal(changed.status, 'partial');
    assert.match(changed.notices.join(), /0 unchanged, 1 changed, 1 new, 1 gone, 1 kept/);
    assert.ok((await found('aardvarks')) > 0, 'kept');
    assert.ok((await found('tapirs')) > 0, 'changed');
    assert.ok((await found('numbats')) > 0, 'new');
    assert.equal(await found('okapis'), 0, 'gone');

    page('b', 'About aardvarks.');
    const back = await update();
    assert.equal(back.status, 'unchanged');
    assert.match(back.notices.join(), /3 unchanged, 0 changed, 0 new, 0 gone, 0 kept/);
  } finally {
    await blz.close();
  }
});
