// Accessibility of every view at both widths and in both colour schemes, by axe; and that nothing is wider than a phone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { describePage } from './describe-page.ts';
import { enter, PHONE, startSite, WIDE } from './support.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const VIEWS: Record<string, string> = {
  '#/search': '.empty',
  '#/search?q=payment+fails': '.results .card',
  '#/search?q=payment+fails&m=compare': '.column.by-hybrid .card',
  '#/doc?cite=handbook%2Fservices%2Fcheckout.md%3A20-23&q=payment': '.doc-text .cited',
  '#/contents?c=handbook': '.folder',
  '#/collections': '.tile',
  '#/add': '.offer',
  '#/add?from=github': '.pair',
  '#/add?from=folder': '.empty',
  '#/add?from=files': 'input[type=file]',
  '#/graph?e=CheckoutService': '.graph-card',
  '#/health': '.plot canvas',
  '#/access': '.keys tbody tr',
};

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
}

describePage('accessibility', startSite, (place) => {
  test('nothing is wider than the screen, from 360 to 2560 pixels', async () => {
    const seen = await place.visit();
    const { page } = seen;
    await enter(seen, place.site.adminKey);
    for (const [hash, sign] of Object.entries(VIEWS)) {
      await page.evaluate((to) => (location.hash = to), hash);
      await page.locator(sign).first().waitFor();
      for (const width of [360, 600, 768, 820, 1024, 1440, 1920, 2560]) {
        await page.setViewportSize({ width, height: 900 });
        await fits(page, `${hash} at ${width}`);
      }
    }
    await seen.context.close();
  });

  for (const [width, size] of Object.entries({ wide: WIDE, phone: PHONE })) {
    for (const scheme of ['light', 'dark'] as const) {
      test(`${width}, ${scheme}`, async () => {
        const seen = await place.visit({ size, scheme });
        const { page } = seen;
        await page.evaluate(axeSource);
        await check(page, 'the gate');
        await enter(seen, place.site.adminKey);
        for (const [hash, sign] of Object.entries(VIEWS)) {
          await page.evaluate((to) => (location.hash = to), hash);
          await page.locator(sign).first().waitFor();
          await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
          await check(page, hash);
          await fits(page, hash);
        }
        await page.getByRole('button', { name: 'New key' }).click();
        await check(page, 'a question');
        await page.keyboard.press('Escape');
        await page.keyboard.press('?');
        await check(page, 'the help');
        assert.deepEqual(seen.complaints, []);
        await seen.context.close();
      });
    }
  }
});

async function fits(page: Page, where: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(over, 0, `${where} is wider than the screen by ${over} px`);
}

async function check(page: Page, where: string): Promise<void> {
  const { violations } = await page.evaluate<AxeResult>(
    'axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] })',
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const lines = serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  assert.deepEqual(lines, [], `at ${where}`);
}
