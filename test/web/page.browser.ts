// The page in a real browser against the real server and store: what a person does with it, by keyboard where the page
// promises that, and what it must never do.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startDocsServer, type DocsServer } from '../support/docs-server.ts';
import { describePage } from './describe-page.ts';
import { enter, findChromium, launch, openAdd, shortcut, startSite, visit } from './support.ts';

const executable = findChromium();
if (!executable)
  console.error('\nNOTICE: no Chromium here, so the page was NOT tested. Debian: apt-get install chromium\n');

describePage('the page', startSite, (place) => {
  const { on } = place;
  let docs: DocsServer;
  before(async () => (docs = await startDocsServer()));
  after(() => docs?.close());

  test('a wrong key is refused with a message', async () => {
    const seen = await place.visit();
    await seen.page.getByLabel('Key', { exact: true }).fill('vai-mcp-key-0000');
    await seen.page.keyboard.press('Enter');
    const alert = seen.page.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), /not valid here[\s\S]*generate-key/);
    assert.equal(await seen.page.locator('nav.nav').isVisible(), false);
    await seen.context.close();
  });

  test('search by keyboard: one list, a citation, its headings, the next result, and back', () =>
    on(async ({ page }) => {
      await shortcut(page, '2');
      await page.keyboard.press('/');
      await page.keyboard.type('declined card payment');
      await page.waitForURL(/#\/search\?q=declined\+card\+payment$/);
      const first = page.locator('.results .card').first();
      await first.waitFor();
      await idle(page);
      assert.ok((await first.locator('mark').count()) > 0, 'matching words are marked');

      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      const cite = await first.locator('.cite').innerText();
      await page.keyboard.press('Enter');
      const cited = page.locator('.doc-text .cited').first();
      await cited.waitFor();
      assert.match(page.url(), /#\/doc\?cite=/);
      const [, start, end] = /:(\d+)(?:-(\d+))?$/.exec(cite)!.map(Number);
      const line = Number(await cited.getAttribute('data-line'));
      assert.ok(line >= start! && line <= (end || start!), `${line} in ${cite}`);
      await page.locator('nav.tree [aria-current]').waitFor();
      const headings = await page.locator('nav.tree li').allInnerTexts();
      assert.ok(headings.includes('Checkout service') && headings.includes('Timeouts'), headings.join());

      await page.keyboard.press('n');
      await page.locator('.steps', { hasText: '2 of' }).waitFor();
      await page.keyboard.press('p');
      await page.locator('.steps', { hasText: '1 of' }).waitFor();
      await page.keyboard.press('Escape');
      await first.waitFor();
      const focused = await page.evaluate(() => document.activeElement?.className);
      assert.equal(focused, 'card-link', 'the result that was opened has the focus again');
    }));

  test('compare shows the methods side by side, with their scores', () =>
    on(async ({ page }) => {
      await page.locator('#query').fill('declined card payment');
      await page.locator('.results .card').first().waitFor();
      await page.getByRole('button', { name: 'Compare' }).click();
      for (const method of ['hybrid', 'words', 'meaning', 'relations'])
        await page.locator(`.column.by-${method} .card`).first().waitFor();
      await idle(page);
      const first = page.locator('.column.by-hybrid .card').first();
      assert.match(await first.innerText(), /Hybrid[\s\S]*Words[\s\S]*Meaning[\s\S]*Relations/);
      await page.locator('#query').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      const inWords = await page.evaluate(() => document.activeElement?.closest('.column')?.className);
      assert.match(inWords ?? '', /by-words/);
    }));

  test('collections: size, model, freshness, contents', () =>
    on(async ({ page }) => {
      await shortcut(page, '2');
      const tile = page.locator('.tile', { hasText: 'handbook' });
      await tile.waitFor();
      const text = await tile.innerText();
      assert.match(text, /Documents\s+6/);
      assert.match(text, /Size\s+\d/);
      assert.match(text, /Embedding model\s+builtin-embed-1, 256 dimensions/);
      assert.match(text, /fresh/);
      await tile.getByRole('link', { name: 'Contents of handbook' }).click();
      await page.locator('.lede', { hasText: '6 documents' }).waitFor();
      await page.getByLabel('Filter').fill('on-call');
      assert.equal(await page.locator('.entry').count(), 1);
      await page.locator('.entry a').click();
      await page.locator('.doc-text .cited').first().waitFor();
    }));

  test('a source is added while the page is closed, and whoever comes back sees what became of it', () => {
    const pages = Array.from({ length: 12 }, (_, at) => `/pages/fold-${at}.md`);
    for (const [at, path] of pages.entries())
      docs.set(
        path,
        `# Fold ${at}\n\nHow to fold a paper crane, step ${at}: crease, turn over and press flat.\n`,
      );
    docs.set('/llms.txt', `# Origami\n\n${pages.map((path) => `- [${path}](${path})`).join('\n')}\n`);
    return on(async ({ page }) => {
      await openAdd(page, 'Web address');
      await page.getByLabel('Name', { exact: true }).fill('origami');
      await page.getByLabel('Address', { exact: true }).fill(`${docs.origin}/llms.txt`);
      await page.getByRole('button', { name: 'Add source' }).click();
      await page.locator('.job-row[data-action=add]').waitFor();
      await page.reload();
      await page.locator('.job-row[data-state=done]', { hasText: 'Added origami' }).waitFor();
      await page.getByRole('link', { name: 'Search origami' }).click();
      await page.keyboard.press('/');
      await page.keyboard.type('paper crane');
      await page.locator('.results .card').first().waitFor();
    });
  });

  test('files are added from this computer, and what is no text is named', () =>
    on(async ({ page }) => {
      await openAdd(page, 'Your files');
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([
          {
            name: 'kite.md',
            mimeType: 'text/markdown',
            buffer: Buffer.from('# Kite\n\nA quokkakite flies high.\n'),
          },
          { name: 'blob.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 2]) },
        ]);
      await page.getByLabel('Collection of the files').fill('dropped');
      await page.getByRole('button', { name: 'Add files' }).click();
      await page.getByText('1 file added to dropped').waitFor();
      await page.getByText('blob.bin: not a text file').waitFor();
      await page.getByRole('link', { name: 'Search dropped' }).click();
      await page.locator('#query').fill('quokkakite');
      await page.locator('.results .cite', { hasText: 'dropped/kite.md' }).waitFor();
    }));

  test('a source that cannot be fetched says why', () =>
    on(async ({ page }) => {
      await openAdd(page, 'Web address');
      await page.getByLabel('Name', { exact: true }).fill('nowhere');
      await page.getByLabel('Address', { exact: true }).fill(`${docs.origin}/missing.txt`);
      await page.getByRole('button', { name: 'Add source' }).click();
      const row = page.locator('.job-row[data-state=failed]', { hasText: 'nowhere' });
      await row.waitFor();
      assert.match(await row.innerText(), /Adding nowhere failed[\s\S]+\w{4}/);
    }));

  test('graph: entity, evidence, filter, trace and path', () =>
    on(async ({ page, asked }) => {
      await shortcut(page, '4');
      await page.locator('.graph-canvas canvas').first().waitFor();
      assert.ok(
        asked.some((url) => url.startsWith('/graph-draw-')),
        'the picture is a chunk of its own',
      );
      await page.locator('.found').getByRole('button', { name: 'CheckoutService' }).click();
      const panel = page.locator('.graph-panel');
      await panel.getByRole('heading', { name: 'CheckoutService' }).waitFor();
      assert.match(await panel.innerText(), /CheckoutService\s+uses\s+PaymentGateway/);

      await panel.getByRole('button', { name: 'Trace downstream' }).click();
      await panel.locator('.trail', { hasText: 'Trace downstream' }).waitFor();
      assert.match(await panel.innerText(), /LedgerDatabase/);

      await page.evaluate(() => (location.hash = '#/graph?e=LedgerDatabase'));
      await panel.getByRole('heading', { name: 'LedgerDatabase' }).waitFor();
      await panel.getByRole('button', { name: 'Impact' }).click();
      await panel.getByText(/entities affected if it fails/).waitFor();
      assert.match(await panel.innerText(), /PaymentGateway\s+uses\s+LedgerDatabase[\s\S]*CheckoutService/);

      await page.getByLabel('From').fill('CheckoutService');
      await page.getByLabel('To', { exact: true }).fill('LedgerDatabase');
      await page.getByRole('button', { name: 'Draw path' }).click();
      await panel.getByText('2 steps').waitFor();

      const filter = page.getByRole('button', { name: /^database/ });
      await filter.click();
      assert.equal(await filter.getAttribute('aria-pressed'), 'false');

      await page.getByRole('button', { name: 'Clear' }).click();
      await panel.getByText('Choose an entity').waitFor();
      // The picture names what is under the pointer.
      const at = await page.evaluate(() => {
        const place = document.querySelector<HTMLElement>('.graph-canvas')!;
        const { left, top, width, height } = place.getBoundingClientRect();
        for (let y = 0; y < height; y += 4)
          for (let x = 0; x < width; x += 4) {
            const where = { clientX: left + x, clientY: top + y, bubbles: true };
            place.dispatchEvent(new PointerEvent('pointermove', where));
            if (place.title === 'ReportingService') return { x, y };
          }
        return undefined;
      });
      assert.ok(at, 'it is drawn');
      await page.locator('.graph-canvas').click({ position: at });
      await panel.getByRole('heading', { name: 'ReportingService' }).waitFor();

      await panel.locator('a.cite').first().click();
      await page.locator('.doc-text .cited').first().waitFor();
      await page.keyboard.press('Escape');
      await panel.getByRole('heading', { name: 'ReportingService' }).waitFor();
    }));

  test('help opens and closes by key, and the theme can be chosen', () =>
    on(async ({ page }) => {
      // On the first page the search box has the focus.
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.type('why?');
      assert.equal(await page.locator('#query').inputValue(), 'why?');
      await page.keyboard.press('Escape');
      await shortcut(page, '2');
      await page.locator('.tile').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Colours: auto' }).click();
      await page.getByRole('button', { name: 'Colours: light' }).click();
      assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
    }));

  test('a collection that a search of all leaves out says so, and is searched when it is chosen', async () => {
    const file = join(place.site.box.folder, 'manual.md');
    writeFileSync(file, '# Manual\n\nThe quokkamanual is apart.\n');
    await place.site.box.run('vai', ['ingest', file, '--collection', 'manual', '--only-when-named']);
    await on(async ({ page }) => {
      await page.locator('#query').fill('quokkamanual');
      await page.locator('.results[aria-busy=false]').waitFor();
      assert.equal(await page.locator('.results .cite', { hasText: 'manual/' }).count(), 0);
      await page.locator('#query').fill('');
      await page.getByRole('button', { name: 'manual (only when chosen)' }).click();
      await page.locator('#query').fill('quokkamanual');
      await page.locator('.results .cite', { hasText: 'manual/manual.md' }).waitFor();
    });
  });

  test('a key that may only read is offered nothing else, and is never refused', () =>
    on(async ({ page }) => {
      const refused: string[] = [];
      page.on('response', (reply) => {
        if (reply.status() >= 400) refused.push(`${reply.status()} ${reply.url()}`);
      });
      const offered = await page.locator('nav.nav a:visible').allInnerTexts();
      assert.deepEqual(offered, ['Search', 'Collections', 'Graph', 'Health']);
      await shortcut(page, '2');
      await page.locator('.tile').first().waitFor();
      assert.equal(await page.locator('.manage').count(), 0);
      await page.keyboard.press('4');
      await page.locator('.graph-canvas canvas').first().waitFor();
      await page.keyboard.press('5');
      await page.getByText('shown to keys with the admin scope').waitFor();
      await page.locator('.facts.wide').waitFor();
      assert.deepEqual(refused, []);
    }, place.site.readOnlyKey));
});

test(
  'an empty server without a graph says what to do next, and a stopped one that it is gone',
  {
    skip: executable ? false : 'Chromium is missing',
  },
  async () => {
    const site = await startSite({ empty: true, toolsets: 'vai' });
    const browser = await launch(executable!);
    try {
      const seen = await visit(browser, site);
      const { page } = seen;
      await enter(seen, site.key);
      await page.getByText('Nothing to search yet').waitFor();
      await shortcut(page, '2');
      await page.getByText('No collections yet').waitFor();
      assert.equal(await page.getByRole('link', { name: 'Graph' }).isVisible(), false);
      await page.evaluate(() => (location.hash = '#/graph'));
      await page.getByText('No graph here').waitFor();
      assert.deepEqual(seen.complaints, []);

      await site.stop();
      await page.keyboard.press('/');
      await page.keyboard.type('anything');
      const alert = page.locator('.results').getByRole('alert');
      await alert.waitFor();
      assert.match(await alert.innerText(), /does not answer/);
      assert.equal(await alert.count(), 1, 'one message, not one for each method');
    } finally {
      await browser.close();
      await site.close();
    }
  },
);

async function idle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}
