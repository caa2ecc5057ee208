import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBlz, type BlzFixture } from '../../support/blz-engine.ts';
import * as play from '../../support/docs-server.ts';

let blz: BlzFixture;
before(async () => {
  blz = await openBlz();
});
after(() => blz.close());

const add = (alias: string, path: string) =>
  blz.engine.docs.add(blz.call, { alias, url: blz.server.origin + path });
const update = async (alias: string, more: object = {}) =>
  (await blz.engine.docs.update(blz.call, { aliases: [alias], ...more }))[0]!;
const titleOf = async (alias: string) => (await blz.engine.docs.inspect(blz.call, alias))[0]!.title;
const page = (title: string, text: string) => play.file(`# ${title}\n\n${text}\n`, { type: 'text/markdown' });

test('a followed index and every page of it are asked for with their own validators', async () => {
  const { server } = blz;
  server.set(
    '/i/llms.txt',
    play.file('# Windmill\n\n- [Sails](/i/sails.md)\n- [Stones](/i/stones)\n- [Brake](/i/brake.md)\n'),
  );
  server.set('/i/sails.md', page('Sails', 'Four sails of canvas.'));
  server.set('/i/stones.md', page('Stones', 'Two stones of granite.'));
  server.set(
    '/i/brake.md',
    play.file('# Brake\n\nA band of wood.\n', { type: 'text/markdown', validators: 'modified' }),
  );
  await add('windmill', '/i/llms.txt');
  assert.equal(await titleOf('windmill'), 'Windmill');

  const seen = server.requests.length;
  const unchanged = await update('windmill');
  assert.equal(unchanged.status, 'unchanged');
  assert.match(unchanged.notices.join(), /3 unchanged, 0 changed/);
  const asked = server.requests.slice(seen);
  const conditional = asked.filter(({ headers }) => headers['if-none-match'] ?? headers['if-modified-since']);
  assert.deepEqual(conditional.map(({ path }) => path).sort(), [
    '/i/brake.md',
    '/i/llms.txt',
    '/i/sails.md',
    '/i/stones.md',
  ]);

  server.set('/i/sails.md', page('Sails', 'Four sails of linen.'));
  server.set('/i/brake.md', play.status(500));
  const changed = await update('windmill');
  assert.equal(changed.status, 'partial');
  assert.match(changed.notices.join(), /1 unchanged, 1 changed, 0 new, 0 gone, 1 kept/);
  const { hits } = await blz.engine.docs.find(blz.call, { query: 'band of wood', source: 'windmill' });
  assert.equal(hits[0]!.pageUrl, `${server.origin}/i/brake.md`);

  // The page that failed is asked for without validators of an older text, and what it says now is taken.
  server.set('/i/brake.md', page('Brake', 'A band of steel.'));
  assert.equal((await update('windmill')).status, 'refreshed');
  const steel = await blz.engine.docs.find(blz.call, { query: 'band of steel', source: 'windmill' });
  assert.match(steel.hits[0]!.snippet, /steel/);

  // A changed index names another page.
  server.set('/i/llms.txt', play.file('# Windmill\n\n- [Sails](/i/sails.md)\n- [Cap](/i/cap.md)\n'));
  server.set('/i/cap.md', page('Cap', 'It turns into the wind, on a ring of oak that the miller greases.'));
  assert.match(
    (await update('windmill', { force: true })).notices.join(),
    /1 unchanged, 0 changed, 1 new, 2 gone/,
  );
  assert.match((await update('windmill')).notices.join(), /2 unchanged, 0 changed, 0 new, 0 gone/);

  // Without validators when told so.
  const before = server.requests.length;
  await update('windmill', { force: true });
  assert.ok(server.requests.slice(before).every(({ headers }) => !headers['if-none-match']));
});

test('a text of many pages is not called by the title of the first one', async () => {
  const marked = ['Addons', 'Buffers'].map(
    (name) => `# ${name}\n\nSource: https://x.example/${name}\n\nText.\n`,
  );
  blz.server.set('/marked/llms-full.txt', marked.join('\n'));
  await add('marked', '/marked/llms-full.txt');
  assert.equal(await titleOf('marked'), 'marked');

  const plain = ['Addons', 'Buffers', 'Crypto', 'Dns', 'Events'].map(
    (name) => `# ${name}\n\n## Use\n\nText.\n`,
  );
  blz.server.set('/plain/llms-full.txt', plain.join('\n'));
  await add('plain', '/plain/llms-full.txt');
  assert.equal(await titleOf('plain'), 'plain');

  const long = plain.map((text) => text + 'A long page.\n'.repeat(5_000));
  blz.server.set('/long/llms-full.txt', long.join('\n'));
  await add('long', '/long/llms-full.txt');
  assert.equal(await titleOf('long'), 'long');

  blz.server.set('/own/llms-full.txt', ['# The project\n\nWhat it is.\n', ...plain].join('\n'));
  await add('own', '/own/llms-full.txt');
  assert.equal(await titleOf('own'), 'The project');
});

test('a block of link definitions is no answer', async () => {
  const links = Array.from(
    { length: 80 },
    (_, at) => `[zeppelin mooring ${at}]: https://x.example/zeppelin/mooring/${at}`,
  );
  blz.server.set(
    '/links/guide.md',
    `# Guide\n\n## Airships\n\nA zeppelin is moored to a mast.\n\n## Balloons\n\nA balloon is tied down.\n\n${links.join('\n')}\n`,
  );
  await add('links', '/links/guide.md');
  const { hits } = await blz.engine.docs.find(blz.call, { query: 'zeppelin mooring', source: 'links' });
  assert.ok(hits.length > 0);
  assert.equal(hits[0]!.lines, '1-6');
  for (const { snippet } of hits) assert.doesNotMatch(snippet, /^\s*\[zeppelin[^\n]*\]: /);
  // The lines are there all the same.
  const { snippets } = await blz.engine.docs.find(blz.call, { snippets: ['links:12-14'] });
  assert.match(snippets[0]!.content, /\[zeppelin mooring 1\]: /);
});
