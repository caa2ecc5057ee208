// Signing in and reading in a real browser: what is shown of a document, and what it can never do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newKey } from '../support/served.ts';
import { until } from '../support/wait.ts';
import { describePage, wellBehaved } from './describe-page.ts';
import { enter, openAdd, startSite } from './support.ts';

describePage('signing in and reading', startSite, (place) => {
  const { on } = place;

  test('a link signs in once, a reload stays signed in, and a revoked key ends in one calm screen', async () => {
    const { site } = place;
    const { box } = site;
    const key = await newKey(box, 'read');
    const keys = JSON.parse((await box.run('vai', ['mcp-server', 'list-keys', '--json'])).stdout) as {
      id: string;
    }[];
    const id = keys.at(-1)!.id;
    const { stdout } = await box.run('vai', [
      'mcp-server',
      'sign-in-link',
      '--key',
      id,
      '--url',
      site.origin,
    ]);
    // The form is open already, and the link is pasted into the same tab: only the hash changes.
    const seen = await place.visit();
    const { page } = seen;
    await page.getByLabel('Key', { exact: true }).waitFor();
    await page.goto(stdout.trim());
    await page.locator('nav.nav').waitFor();
    assert.doesNotMatch(page.url(), /code=/);
    await page.reload();
    await page.locator('nav.nav').waitFor();
    await wellBehaved(seen, key);

    const other = await place.visit();
    await other.page.goto(stdout.trim());
    await other.page.getByRole('alert').waitFor();
    await other.page.getByLabel('Key', { exact: true }).waitFor();
    await other.context.close();

    await box.run('vai', ['mcp-server', 'revoke-key', id]);
    await page.locator('#query').waitFor();
    await page.locator('#query').fill('backup');
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /no longer signed in/);
    assert.equal(await page.getByRole('alert').count(), 1);
    await page.getByLabel('Key', { exact: true }).fill(site.key);
    await page.keyboard.press('Enter');
    await page.locator('.results .card').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await seen.context.close();
  });

  test('the raw lines shown are the lines of the file', () =>
    on(async ({ page }) => {
      await page.evaluate(() => (location.hash = '#/doc?cite=handbook%2Fservices%2Fpayment.md%3A7-8'));
      await page.getByRole('button', { name: 'Raw' }).click();
      const cited = page.locator('.line.cited .text');
      // The page may be drawn once more in between.
      let texts: string[] = [];
      await until(async () => (texts = await cited.allInnerTexts()).length === 2);
      assert.deepEqual(texts, [
        'PaymentGateway uses LedgerDatabase, a PostgreSQL cluster with two replicas. No card number is ever stored: the provider',
        'keeps it and gives out a token.',
      ]);
    }));

  test('raw lines stay when the rendering begun before them ends after them', async () => {
    const seen = await place.visit();
    const { page } = seen;
    await enter(seen, place.site.key);
    const pressed = Promise.withResolvers<void>();
    let held = 0;
    await page.route(/markdown[^/]*\.js$/, async (route) => {
      held += 1;
      await pressed.promise;
      await route.continue();
    });
    await page.evaluate(() => (location.hash = '#/doc?cite=handbook%2Fservices%2Fpayment.md%3A7-8'));
    await page.getByRole('button', { name: 'Raw' }).click();
    await page.locator('.doc-lines .line.cited').nth(1).waitFor();
    assert.equal(held, 1);
    const rendering = page.waitForResponse(/markdown[^/]*\.js$/);
    pressed.resolve();
    // Who imports it after the page did is answered after the page.
    await page.evaluate(async (address) => void (await import(address)), (await rendering).url());
    assert.equal(await page.locator('.doc-lines .line.cited').count(), 2);
    await seen.context.close();
  });

  test('the cited lines are in view in every document, size and theme', async () => {
    const documents = ['checkout.md:20-23', 'payment.md:15-19', 'inventory.md:1-3', 'notifications.md:8-12'];
    const cites = [
      ...documents.map((name) => `handbook/services/${name}`),
      'handbook/data/databases.md:12-19',
    ];
    let opened = 0;
    for (const scheme of ['light', 'dark'] as const)
      for (const size of [390, 768, 1280, 1920]) {
        const seen = await place.visit({ size: { width: size, height: 800 }, scheme });
        await enter(seen, place.site.key);
        for (const cite of cites) {
          await seen.page.evaluate((to) => (location.hash = `#/doc?cite=${encodeURIComponent(to)}`), cite);
          await seen.page.locator('.doc-name .trail', { hasText: cite.split(':')[0]! }).waitFor();
          await seen.page.locator('.doc-text .cited').first().waitFor();
          const { top, over } = await seen.page.evaluate(() => ({
            top: document.querySelector('.doc-text .cited')!.getBoundingClientRect().top,
            over: document.documentElement.scrollWidth - innerWidth,
          }));
          assert.ok(top >= 110 && top < 700, `${cite} at ${size}: ${top}`);
          assert.equal(over, 0, `nothing is wider than ${size}`);
          opened += 1;
        }
        await seen.context.close();
      }
    assert.equal(opened, 40);
  });

  test('text of documents stays text', () =>
    on(async ({ page }) => {
      await openAdd(page, 'Note');
      const text =
        '# <img src=x onerror=alert(1)> title\n\n<script>alert(2)</script> zebracorn <b>bold</b>\n\n![a picture](https://example.com/track.png) [click](javascript:alert(3))\n';
      await page.getByLabel('Text').fill(text);
      await page.getByLabel('File name').fill('evil.md');
      await page.getByLabel('Collection', { exact: true }).fill('hostile');
      await page.getByRole('button', { name: 'Save note' }).click();
      await page.getByText('Saved in hostile').waitFor();
      await page.getByRole('link', { name: 'Search hostile' }).click();
      // The key does nothing until the search is drawn.
      await until(async () => {
        await page.keyboard.press('/');
        return page.evaluate(() => document.activeElement instanceof HTMLInputElement);
      });
      await page.keyboard.type('zebracorn');
      const card = page.locator('.results .card').first();
      await card.waitFor();
      assert.match(await card.innerText(), /zebracorn/);
      await card.locator('.card-link').click();
      const shown = page.locator('.prose');
      await shown.waitFor();
      const read = await shown.innerText();
      assert.match(read, /<script>alert\(2\)<\/script> zebracorn <b>bold<\/b>/);
      assert.match(read, /Image: a picture/);
      assert.equal(await page.locator('main script, main b, main img, main a[href^=javascript]').count(), 0);
    }));
});
