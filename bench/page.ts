// npm run bench:page: how long the page takes to answer a hand, with 10,000 documents and a graph of 5,000 nodes, from
// the event to the next painted frame; canvases are read back, so that their painting counts. The page and server are
// the built ones; Chromium is needed.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { enter, findChromium, launch, startSite, visit } from '../test/web/support.ts';

const DOCUMENTS = 10_000;
const ENTITIES = 5_000;
const ROUNDS = 7;

const executable = findChromium();
if (!executable) throw new Error('Chromium is needed: apt-get install chromium');
const site = await startSite({ empty: true });
const browser = await launch(executable);

/** Middle and worst of some rounds, in milliseconds. */
async function measure(page: Page, name: string, act: string, rounds = ROUNDS): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(
      await page.evaluate<number>(`new Promise(async (done) => {
        const round = ${round};
        const start = performance.now();
        ${act};
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => {
            for (const canvas of document.querySelectorAll('canvas'))
              canvas.getContext('2d').getImageData(0, 0, 1, 1);
            done(performance.now() - start);
          };
          channel.port2.postMessage(0);
        });
      })`),
    );
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  times.sort((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)]!;
  console.log(
    `${name.padEnd(44)} ${middle.toFixed(0).padStart(5)} ms   worst ${times.at(-1)!.toFixed(0)} ms`,
  );
}

const type = (selector: string, texts: string[]): string =>
  `const field = document.querySelector('${selector}'); field.value = ${JSON.stringify(texts)}[round % ${texts.length}]; field.dispatchEvent(new Event('input', { bubbles: true }))`;
/** A hand on the picture: `kind` at a place of it, in parts of its width and height. */
const point = (kind: string, x: string, y: string): string =>
  `picture.dispatchEvent(new PointerEvent('${kind}', { pointerId: 1, button: 0, bubbles: true, clientX: box.left + ${x}, clientY: box.top + ${y} }))`;
const PICTURE =
  "const picture = document.querySelector('.graph-canvas'); const box = picture.getBoundingClientRect()";

try {
  const folder = join(site.box.folder, 'large');
  for (let at = 0; at < DOCUMENTS; at += 1) {
    const part = join(folder, `part-${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(part, { recursive: true });
    const [self, other, hub] = [at % ENTITIES, (at * 7 + 1) % ENTITIES, at % 40];
    const states =
      at < ENTITIES
        ? `Order${self}Service uses Order${other}Service. Order${self}Service depends on Order${hub}Service.`
        : 'Nothing is stated here.';
    writeFileSync(
      join(part, `page-${at}.md`),
      `# Page ${at}\n\n${states}\n\n## Notes on ${at}\n\nPlain words.\n`,
    );
  }
  for (const args of [
    ['ingest', folder, '--collection', 'large', '--no-vectors'],
    ['graph', 'build', 'large'],
  ]) {
    const run = await site.box.run('vai', args);
    if (run.status !== 0) throw new Error(run.stderr);
  }
  const seen = await visit(browser, site);
  const { page } = seen;
  await enter(seen, site.adminKey);
  const hash = (to: string): Promise<void> => page.evaluate(`void (location.hash = ${JSON.stringify(to)})`);

  await hash('#/contents?c=large');
  await page.locator('.lede', { hasText: '10,000 documents' }).waitFor({ timeout: 120_000 });
  await measure(
    page,
    'contents: a letter in the filter',
    type('.contents input', ['7', '77', '777', '', 'page-12']),
  );
  await page.getByLabel('Filter').fill('');
  await measure(page, 'contents: 150 more rows', "document.querySelector('.more').click()");
  await hash('#/collections');
  await page.locator('.tile').first().waitFor();
  await measure(
    page,
    'collections to contents',
    "location.hash = round % 2 ? '#/collections' : '#/contents?c=large'",
  );

  await hash('#/graph');
  await page.locator('.graph-canvas canvas').first().waitFor({ timeout: 60_000 });
  await page.getByLabel('Entities drawn').selectOption('5000');
  await page.locator('.lede', { hasText: /All are drawn|5,000 most connected/ }).waitFor({ timeout: 60_000 });
  await measure(
    page,
    'graph: pan',
    `${PICTURE}; ${point('pointerdown', '5', '5')}; ${point('pointermove', '35', '25')}; ${point('pointerup', '35', '25')}`,
  );
  await measure(
    page,
    'graph: zoom',
    `${PICTURE}; picture.dispatchEvent(new WheelEvent('wheel', { deltaY: round % 2 ? 120 : -120, cancelable: true, clientX: box.left + 300, clientY: box.top + 200 }))`,
  );
  await measure(page, 'graph: hide and show a type', "document.querySelector('.filter').click()", 8);
  await measure(
    page,
    'graph: what is under the pointer',
    `${PICTURE}; ${point('pointermove', '200 + 9 * round', '200')}`,
  );
  // The answer of the server comes between the two.
  await page.locator('.found button').nth(5).waitFor();
  await measure(
    page,
    'graph: choose a node',
    "document.querySelectorAll('.found button')[round % 6].click()",
  );
  await measure(
    page,
    'graph: choose a node, until it is shown',
    `const button = document.querySelectorAll('.found button')[(round + 1) % 6]; button.click();
     await new Promise((shown) => {
       const panel = document.querySelector('.graph-panel');
       const look = () => panel.querySelector('h2')?.textContent === button.textContent && (shown(), watch.disconnect());
       const watch = new MutationObserver(look);
       watch.observe(panel, { childList: true, subtree: true });
     })`,
  );
} finally {
  await browser.close();
  await site.close();
}
