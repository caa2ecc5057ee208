// Makes the pictures of the page that the docs show, in two colour schemes, from the real server over the test handbook.
// `--all FOLDER` takes every view at four widths, to be looked at one by one, and puts them there.

import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import {
  enter,
  findChromium,
  launch,
  PHONE,
  startSite,
  visit,
  WIDE,
  type Site,
} from '../test/web/support.ts';
import { buildWeb } from './build-web.js';

const MAX_BYTES = 300 * 1024;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'string' } },
});
const out = resolve(import.meta.dirname, '..', values.all ?? 'docs/images');
const SIZES: Record<string, { width: number; height: number }> = {
  1280: WIDE,
  ...(values.all
    ? { 390: PHONE, 768: { width: 768, height: 1024 }, 1920: { width: 1920, height: 1080 } }
    : {}),
};

const IN_DOCS = ['search', 'document', 'graph'];

/** What each picture shows: where it is, and what must be there before it is taken. */
const SHOTS: Record<string, (page: Page) => Promise<void>> = {
  search: async (page) => {
    await page.goto(`${origin(page)}#/search?q=what+happens+when+a+payment+fails`);
    await page.locator('.results .card').first().waitFor({ state: 'visible' });
    await settle(page);
  },
  document: async (page) => {
    await page.goto(`${origin(page)}#/doc?cite=handbook%2Fservices%2Fcheckout.md%3A20-23&q=payment+fails`);
    await page.locator('.doc-text .cited').first().waitFor();
    await page.locator('nav.tree li').nth(2).waitFor({ state: 'attached' });
  },
  collections: async (page) => {
    await page.goto(`${origin(page)}#/collections`);
    await page.locator('.tile').first().waitFor();
  },
  add: async (page) => {
    await page.goto(`${origin(page)}#/add`);
    await page.locator('.offer').first().waitFor();
  },
  repository: async (page) => {
    await page.goto(`${origin(page)}#/add?from=github`);
    await page.getByLabel('Repository', { exact: true }).fill('honojs/website');
  },
  graph: async (page) => {
    await page.goto(`${origin(page)}#/graph?e=CheckoutService&trace=downstream`);
    await page.locator('.graph-card').waitFor();
    await settle(page);
  },
  health: async (page) => {
    // Something to plot: a person who searches for a few seconds.
    for (const query of [
      'backup',
      'declined card',
      'who is on call',
      'quiet hours',
      'replica',
      'idempotency',
    ]) {
      await page.goto(`${origin(page)}#/search?q=${encodeURIComponent(query)}`);
      await settle(page);
      await page.waitForTimeout(900);
    }
    await page.goto(`${origin(page)}#/health`);
    await page.locator('.plot canvas').nth(1).waitFor();
    await page.locator('.facts.wide').waitFor();
    await settle(page);
  },
  access: async (page) => {
    await page.goto(`${origin(page)}#/access`);
    await page.locator('.keys tbody tr').first().waitFor();
    await page.locator('.scroll.tall').waitFor();
  },
};

const origin = (page: Page): string => `${new URL(page.url()).origin}/`;

/** Everything asked is answered and what is drawn is drawn. */
async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function shoot(browser: Browser, site: Site, only: readonly string[]): Promise<void> {
  for (const [width, size] of Object.entries(SIZES)) {
    for (const scheme of ['light', 'dark'] as const) {
      const seen = await visit(browser, site, { size, scheme });
      if (only.length === 0 || only.includes('gate')) await save(seen.page, `gate-${width}-${scheme}`);
      await enter(seen, site.adminKey);
      for (const [name, prepare] of Object.entries(SHOTS)) {
        if (only.length > 0 && !only.includes(name)) continue;
        await prepare(seen.page);
        await save(seen.page, `${name}-${width}-${scheme}`);
      }
      await seen.context.close();
    }
  }
}

async function save(page: Page, name: string): Promise<void> {
  const path = join(out, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  const { size } = statSync(path);
  console.log(`${name}.png ${Math.round(size / 1024)} KB`);
  if (size > MAX_BYTES) throw new Error(`${name}.png is larger than ${MAX_BYTES / 1024} KB`);
}

const executable = findChromium();
if (!executable) throw new Error('Chromium is needed: apt-get install chromium');
mkdirSync(out, { recursive: true });
await buildWeb();
const site = await startSite();
await site.box.run('vai', [
  'ingest',
  resolve(import.meta.dirname, '../docs/decisions'),
  '--collection',
  'decisions',
]);
const browser = await launch(executable);
try {
  await shoot(browser, site, positionals.length > 0 || values.all ? positionals : IN_DOCS);
} finally {
  await browser.close();
  await site.close();
}
