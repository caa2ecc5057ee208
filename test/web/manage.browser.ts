// Managing in a real browser against the real server: collections, keys, the audit log and the server's own figures.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { file, startDocsServer, type DocsServer } from '../support/docs-server.ts';
import { archive } from '../support/tar.ts';
import { describePage } from './describe-page.ts';
import { enter, openAdd, shortcut, startSite, type Site, type Visit } from './support.ts';

let docs: DocsServer;
after(() => docs?.close());

async function start(): Promise<Site> {
  docs = await startDocsServer();
  return startSite({ env: { BLZ_GITHUB: docs.origin, VAI_OPEN_FOLDERS: '~/open' } });
}

describePage('managing', start, (place) => {
  const on = (steps: (seen: Visit) => Promise<void>) => place.on(steps, place.site.adminKey);
  const tile = (page: Page, name: string) => page.locator(`.tile[data-name="${name}"]`);
  const manage = async (page: Page, name: string, what: string): Promise<void> => {
    await tile(page, name).locator('.manage summary').click();
    await page.getByRole('button', { name: `${what} ${name}`, exact: true }).click();
  };

  test('a collection is checked, measured and gets its graph', () =>
    on(async ({ page }) => {
      await shortcut(page, '2');
      for (const [what, done] of [
        ['Check', 'Checked handbook'],
        ['Build graph', 'Built the graph of handbook'],
        ['Evaluate', 'Measured handbook'],
      ] as const) {
        await manage(page, 'handbook', what);
        await page.locator('.job-row[data-state=done]', { hasText: done }).waitFor();
      }
      const chart = page.locator('table.evaluation');
      await chart.waitFor();
      assert.match(await chart.innerText(), /words[\s\S]*meaning[\s\S]*hybrid/);
      // Questions made from headings of so few pages are easy for all of them.
      assert.match(await chart.innerText(), /All methods do equally well/);
      assert.equal(await chart.locator('.best').count(), 0);
    }));

  test('a source is refreshed, and its document shows what changed', () => {
    docs.set(
      '/llms-full.txt',
      '# Kites\n\nFly high.\n\n## Strings\n\nCotton strings.\n\n## Wind\n\nNot too much.\n',
    );
    return on(async ({ page }) => {
      await openAdd(page, 'Web address');
      await page.getByLabel('Name', { exact: true }).fill('kites');
      await page.getByLabel('Address', { exact: true }).fill(`${docs.origin}/llms-full.txt`);
      await page.getByRole('button', { name: 'Add source' }).click();
      await page.locator('.job-row[data-state=done]', { hasText: 'Added kites' }).waitFor();
      docs.set(
        '/llms-full.txt',
        '# Kites\n\nFly high.\n\n## Strings\n\nNylon strings.\n\n## Wind\n\nNot too much.\n\n## Tails\n\nLong ones.\n',
      );
      await page.keyboard.press('Escape');
      await page.evaluate(() => (location.hash = '#/collections'));
      await manage(page, 'kites', 'Refresh');
      const row = page.locator('.job-row[data-action=refresh][data-state=done]', { hasText: 'kites' });
      await row.waitFor();
      assert.match(await row.innerText(), /lines became/);
      await page.evaluate(() => (location.hash = '#/doc?cite=kites%3A1'));
      await page.getByRole('button', { name: 'Versions' }).click();
      const versions = page.getByRole('dialog');
      await versions.locator('.changes', { hasText: 'Tails' }).waitFor();
      assert.match(await versions.innerText(), /Changed[\s\S]*Strings[\s\S]*New[\s\S]*Tails/);
      await page.keyboard.press('Escape');
    });
  });

  const added = (page: Page, name: string) =>
    page.locator('.job-row[data-state=done]', { hasText: `Added ${name}` });
  const finds = async (page: Page, name: string, words: string, cite: string): Promise<void> => {
    await page.evaluate((to) => (location.hash = to), `#/search?c=${name}&q=${encodeURIComponent(words)}`);
    await page.locator('.results .cite', { hasText: cite }).first().waitFor();
  };

  test('the registry is offered with names and what they are, and narrowed as you type', () =>
    on(async ({ page }) => {
      await openAdd(page, 'Registry');
      const offers = page.locator('.offer');
      await offers.first().waitFor();
      // The list may be drawn anew meanwhile, and only texts on the page have lines.
      const offered = await offers.evaluateAll((all) =>
        all.map(({ childNodes }) => Array.from(childNodes, ({ textContent }) => textContent)),
      );
      for (const texts of offered) assert.equal(texts.filter(Boolean).length, 2, 'a name and a description');
      await page.getByLabel('Name', { exact: true }).fill('hono');
      await offers.filter({ hasText: /^Hono/ }).click();
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'hono');
      await page.getByLabel('Name', { exact: true }).fill('no such library');
      await page.getByText('The registry does not list it.').waitFor();
      assert.equal(await offers.count(), 0);
    }));

  test('a GitHub repository is added from its address, and goes on while the page is closed', () => {
    const files = { 'docs/wading.md': '# Wading\n\nA heron wades at dawn.\n', 'README.md': '# Heron\n' };
    docs.set('/acme/heron/archive/v2.0.0.tar.gz', file(archive(files), { type: 'application/x-gzip' }));
    return on(async ({ page }) => {
      await openAdd(page, 'GitHub');
      await page
        .getByLabel('Repository', { exact: true })
        .fill('https://github.com/acme/heron/tree/v2.0.0/docs');
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'heron');
      await page.getByRole('button', { name: 'Add source' }).click();
      await page.locator('.job-row[data-action=add]', { hasText: 'heron' }).waitFor();
      await page.reload();
      await added(page, 'heron').waitFor();
      await finds(page, 'heron', 'wades at dawn', 'heron/docs/wading.md');
    });
  });

  test('a website is added with its pages', () => {
    const { origin } = docs;
    const type = { type: 'text/html' };
    const words = 'There is a little more to say about it, as there is on every page of a handbook.';
    const html = (title: string, text: string): string =>
      `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text} ${words}</p></main></body></html>`;
    docs.set(
      '/sitemap.xml',
      file(`<urlset><url><loc>${origin}/h/one</loc></url><url><loc>${origin}/h/two</loc></url></urlset>`, {
        type: 'application/xml',
      }),
    );
    docs.set('/h/one', file(html('One', 'Herons nest in tall reeds.'), type));
    docs.set('/h/two', file(html('Two', 'Egrets are white all over.'), type));
    return on(async ({ page }) => {
      await openAdd(page, 'Website');
      await page.getByLabel('Address', { exact: true }).fill(`${origin}/h/`);
      await page.getByLabel('Name', { exact: true }).fill('reeds');
      await page.getByRole('button', { name: 'Add source' }).click();
      await added(page, 'reeds').waitFor();
      await finds(page, 'reeds', 'egrets white', 'reeds/h/two.md');
    });
  });

  test('a folder of the server is added where it is open, and refused elsewhere', () => {
    const folder = join(place.site.box.folder, 'open/manual');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'pumps.md'), '# Pumps\n\nThe bilge pump starts by itself.\n');
    return on(async ({ page }) => {
      await openAdd(page, 'Server folder');
      await page.locator('.offer', { hasText: '~/open/manual' }).click();
      assert.equal(await page.getByLabel('Folder', { exact: true }).inputValue(), '~/open/manual');
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'manual');
      await page.getByRole('button', { name: 'Add source' }).click();
      await added(page, 'manual').waitFor();
      await page.getByLabel('Folder', { exact: true }).fill('/etc');
      await page.getByLabel('Name', { exact: true }).fill('secrets');
      await page.getByRole('button', { name: 'Add source' }).click();
      const refused = page.locator('.job-row[data-state=failed]', { hasText: 'secrets' });
      await refused.getByText('This folder is not open').waitFor();
      await finds(page, 'manual', 'bilge pump', 'manual/pumps.md');
    });
  });

  test('a key that may write is not offered folders of the server', async () => {
    const seen = await place.visit();
    await enter(seen, place.site.key);
    await shortcut(seen.page, '3');
    const kinds = seen.page.getByRole('navigation', { name: 'What to add' });
    await kinds.getByRole('link', { name: 'GitHub' }).waitFor();
    assert.equal(await kinds.getByRole('link', { name: 'Server folder' }).count(), 0);
    await seen.context.close();
  });

  test('quotas show what keys may ask for and store, and how much is used', () =>
    on(async ({ page }) => {
      await shortcut(page, '6');
      const quotas = page.getByRole('region', { name: 'Quotas' });
      await quotas.waitFor();
      assert.match(await quotas.innerText(), /Requests per minute\s+1,200/);
      const row = quotas.locator('tbody tr', { hasText: 'handbook' });
      assert.match(await row.innerText(), /\d+ of 1,000,000\s+[\d.]+ KB of 2(?:\.0)? GB/);
    }));

  test('a collection is renamed, deleted and brought back', () =>
    on(async ({ page, complaints }) => {
      await place.site.box.run('vai', ['ingest', '-', '--collection', 'passing', '--source', 'a.md'], {
        input: 'Passing words.',
      });
      await shortcut(page, '2');
      await manage(page, 'passing', 'Rename');
      await page.getByLabel('New name').fill('handbook');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await page.getByRole('alert').waitFor();
      assert.match(complaints.pop() ?? '', /409/, 'the browser notes that it was refused');
      await page.getByLabel('New name').fill('kept');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await tile(page, 'kept').waitFor();

      await manage(page, 'kept', 'Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      const waiting = page.locator('.job-row[data-action=delete][data-state=waiting]');
      await waiting.waitFor();
      assert.match(await waiting.innerText(), /Deleting kept in \d+ s/);
      await page.reload();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.locator('.job-row[data-action=delete][data-state=cancelled]').waitFor();
      await tile(page, 'kept').waitFor();
    }));

  test('a key is made, limited, rotated and revoked, and the log says so', () =>
    on(async ({ page }) => {
      await shortcut(page, '6');
      await page.locator('.keys tbody tr').first().waitFor();
      assert.match(await page.locator('.keys').innerText(), /owner[\s\S]*yours/);
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('ci');
      await page.getByLabel('Collections').fill('handbook');
      await page.getByRole('button', { name: 'Make key' }).click();
      const shown = page.getByLabel('The key');
      await shown.waitFor();
      const key = await shown.inputValue();
      assert.match(key, /^vai-mcp-key-[0-9a-f]{48}$/);
      await page.getByRole('button', { name: 'Done' }).click();
      await shown.waitFor({ state: 'detached' });
      const row = page.locator('.keys tbody tr', { hasText: 'ci' });
      await row.waitFor();
      assert.match(await row.innerText(), /read\s+handbook/);
      assert.ok(!(await page.content()).includes(key), 'it is shown once');

      await page.getByRole('button', { name: 'Limit ci' }).click();
      await page.getByLabel('Requests per minute').fill('7');
      await page.getByRole('button', { name: 'Save' }).click();
      await row.filter({ hasText: '7/min' }).waitFor();
      await page.getByRole('button', { name: 'Rotate ci' }).click();
      await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      await page.getByLabel('The key').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await row.nth(1).waitFor();
      for (const left of [1, 0]) {
        await row.first().getByRole('button', { name: 'Revoke ci' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await row.nth(left).waitFor({ state: 'detached' });
      }
      await page.getByLabel('Events').selectOption('key');
      const log = page.getByRole('region', { name: 'Audit log' });
      await log.getByText('revoked').first().waitFor();
      for (const word of ['made', 'limited', 'rotated', 'revoked'])
        assert.match(await log.innerText(), new RegExp(word));
    }));

  test('health shows what the server counted itself', () =>
    on(async ({ page }) => {
      await page.locator('#query').fill('backup');
      await page.locator('.results .card').first().waitFor();
      await page.evaluate(() => (location.hash = '#/health'));
      await page.locator('.stat.good').first().waitFor();
      await page.locator('.plot canvas').nth(2).waitFor();
      assert.match(await page.locator('.stat-tiles').innerText(), /Status\s+ok/);
      const tools = page.getByRole('region', { name: 'Tool' });
      await tools.getByText('vai_query').waitFor();
      assert.match(await tools.innerText(), /vai_query\s+[1-9]\d*\s+0/);
      await page.getByText('Vector indexes').waitFor();
    }));
});
