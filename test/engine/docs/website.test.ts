import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBlz, type BlzFixture } from '../../support/blz-engine.ts';
import * as play from '../../support/docs-server.ts';

let blz: BlzFixture;
before(async () => {
  blz = await openBlz();
});
after(() => blz.close());

const page = (title: string, body: string, links: readonly string[] = []): play.Play =>
  play.file(
    `<html><head><title>${title}</title></head><body><nav>Menu</nav><main><h1>${title}</h1><p>${body} ` +
      `And here is more of it, so that nobody takes this page for the empty shell of an application.</p>` +
      `${links.map((to) => `<a href="${to}">x</a>`).join('')}</main></body></html>`,
    { type: 'text/html' },
  );
const update = async (alias: string, more: object = {}) =>
  (await blz.engine.docs.update(blz.call, { aliases: [alias], ...more }))[0]!;
const first = async (query: string, source: string) =>
  (await blz.engine.docs.find(blz.call, { query, source })).hits[0];

test('a website is one source, each page a document with its address', async () => {
  const { server } = blz;
  server.set('/docs/', page('Lighthouse', 'The keeper climbs the stairs.', ['lamp', 'fog', 'boat']));
  server.set('/docs/lamp', page('The lamp', 'The lamp is lit at dusk with a taper.'));
  server.set('/docs/fog', page('The fog horn', 'The horn sounds every ninety seconds.'));
  server.set('/docs/boat', page('The boat', 'The boat brings oil and letters.'));
  const added = await blz.tool('source-add', { alias: 'light', url: `site:${server.origin}/docs/` });
  assert.equal(added.isError, false, added.text);
  const hit = await first('lit at dusk', 'light');
  assert.equal(hit!.alias, 'light/docs/lamp.md');
  assert.equal(hit!.pageUrl, `${server.origin}/docs/lamp`);
  assert.equal(hit!.sourceUrl, `${server.origin}/docs/`);
  assert.doesNotMatch(hit!.snippet, /Menu/);
  assert.deepEqual(hit!.headingPath, ['The lamp']);

  assert.equal((await update('light')).status, 'unchanged');

  server.set('/docs/lamp', page('The lamp', 'The lamp is electric since last year.'));
  server.set('/docs/fog', play.status(500));
  server.remove('/docs/boat');
  const changed = await update('light');
  assert.equal(changed.status, 'partial');
  const listed = (await blz.tool('list-sources', { filter: 'light' })).value.sources[0];
  assert.equal(listed.partial, true);
  assert.deepEqual(listed.pages, { total: 3, failed: 1, pending: 0 });
  assert.match(changed.notices.join('\n'), /could not be read.*\/docs\/fog \(answered 500\)/);
  assert.match(changed.notices.join('\n'), /1 unchanged, 1 changed, 0 new, 1 gone, 1 kept/);
  assert.equal((await first('electric', 'light'))!.pageUrl, `${server.origin}/docs/lamp`);
  assert.equal((await first('ninety seconds', 'light'))!.alias, 'light/docs/fog.md');
  assert.equal(await first('"brings oil"', 'light'), undefined);

  // Only a page that is gone: nothing is read, and the rest stays.
  server.remove('/docs/lamp');
  server.set('/docs/fog', page('The fog horn', 'The horn sounds every ninety seconds.'));
  assert.equal((await update('light')).status, 'refreshed');
  assert.equal(await first('"since last year"', 'light'), undefined);
  assert.equal((await first('ninety seconds', 'light'))!.alias, 'light/docs/fog.md');
});

test('a site that lost most of its pages is held; one that fails stays as it is', async () => {
  const { server } = blz;
  const names = ['a', 'b', 'c', 'd', 'e'];
  server.set('/held/', page('Held', 'The first page.', names));
  for (const name of names) server.set(`/held/${name}`, page(name, `The page of ${name}.`));
  await blz.engine.docs.add(blz.call, { alias: 'held', url: `site:${server.origin}/held/` });
  for (const name of names.slice(0, 4)) server.remove(`/held/${name}`);
  server.set('/held/', page('Held', 'The first page has moved.'));
  assert.deepEqual((await update('held')).code, 'SHRINK_HELD');
  assert.ok(await first('page of a', 'held'));
  assert.equal((await update('held', { force: true })).status, 'refreshed');
  server.set('/robots.txt', play.status(500));
  const failed = await update('held');
  server.remove('/robots.txt');
  assert.deepEqual([failed.status, failed.code], ['error', 'FETCH_FAILED']);
  assert.ok(await first('has moved', 'held'));
});

test('whether it has changed can be asked, and an address that is no text is told how', async () => {
  const { server } = blz;
  server.set('/ask/', page('Ask', 'Is it the same?'));
  await blz.engine.docs.add(blz.call, { alias: 'ask', url: `site:${server.origin}/ask/` });
  const check = async () => (await blz.engine.docs.validate(blz.call, { alias: 'ask', online: true }))[0]!;
  assert.equal((await check()).status, 'healthy');
  server.set('/ask/', page('Ask', 'It is not.'));
  assert.match((await check()).issues.join(), /has changed/);
  const plain = await blz.tool('source-add', { alias: 'plain', url: `${server.origin}/ask/` });
  assert.equal(plain.isError, true);
  assert.match(plain.text, /site:https/);
});
