// The views of tools as a client shows them: in a sandboxed frame, with a host that speaks the protocol of MCP Apps, and
// with documents that try to be more than text.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { neighbourhoodView } from '../../src/tools/flowrag/neighbourhood-view.ts';
import type { View } from '../../src/tools/tool.ts';
import { citationView } from '../../src/tools/vai/citation-view.ts';
import { findChromium, launch } from './support.ts';

const executable = findChromium();
const HOSTILE = [
  '<img src=x onerror="parent.postMessage({ pwned: 1 }, `*`)">',
  '</li></ol><script>parent.postMessage({ pwned: 2 }, "*")</script>',
  '"><svg onload=parent.postMessage({pwned:3},"*")>',
  '${parent.postMessage({ pwned: 4 }, "*")}',
  '<iframe srcdoc="<script>top.postMessage({ pwned: 5 })</script>"></iframe>',
];

interface Shown {
  page: Page;
  frame: FrameLocator;
  /** What the view said to its host. */
  said: () => Promise<{ method?: string; pwned?: number }[]>;
  /** What it asked the network for, and what the browser complained of. */
  trouble: string[];
}

describe('views', { skip: executable ? false : 'Chromium is missing' }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launch(executable!);
  });
  after(() => browser?.close());

  async function show(view: View, result: object): Promise<Shown> {
    const page = await browser.newPage();
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => trouble.push(request.url()));
    await page.setContent('<iframe sandbox="allow-scripts" width="800" height="600"></iframe>');
    await page.evaluate(
      ({ html, answer }) => {
        const frame = document.querySelector('iframe')!;
        const heard: unknown[] = [];
        Object.assign(window, { heard });
        addEventListener('message', ({ data, source }) => {
          heard.push(data);
          const send = (message: object): void =>
            (source as Window).postMessage({ jsonrpc: '2.0', ...message }, '*');
          if (data.method === 'ui/initialize')
            send({ id: data.id, result: { hostContext: { theme: 'dark' }, protocolVersion: '2026-01-26' } });
          if (data.method === 'ui/notifications/initialized')
            send({ method: 'ui/notifications/tool-result', params: answer });
        });
        frame.srcdoc = html;
      },
      { html: view.html, answer: result },
    );
    const said = (): ReturnType<Shown['said']> =>
      page.evaluate(() => (window as unknown as { heard: never[] }).heard);
    return { page, frame: page.frameLocator('iframe'), said, trouble };
  }

  async function isHarmless({ page, frame, said, trouble }: Shown): Promise<void> {
    assert.equal(await frame.locator('img, iframe, main script, [onload], [onerror]').count(), 0);
    await page.waitForFunction(() =>
      (window as unknown as { heard: { method?: string; params?: { height: number } }[] }).heard.some(
        ({ method, params }) => method === 'ui/notifications/size-changed' && params!.height > 0,
      ),
    );
    const heard = await said();
    assert.ok(heard.every(({ pwned }) => pwned === undefined));
    assert.equal(await frame.locator('html.dark').count(), 1);
    assert.deepEqual(trouble, []);
    await page.close();
  }

  test('a citation with its lines, each as it is written', async () => {
    const passage = {
      ...{ citation: `notes/${HOSTILE[0]}:12-16`, title: HOSTILE[1], headingPath: [HOSTILE[2]] },
      ...{ lines: '12-16', totalLines: 90, content: HOSTILE.join('\n') },
    };
    const shown = await show(citationView, { content: [], structuredContent: { passages: [passage] } });
    await shown.frame
      .locator('li')
      .nth(HOSTILE.length - 1)
      .waitFor();
    assert.deepEqual(await shown.frame.locator('li').allTextContents(), HOSTILE);
    assert.equal(await shown.frame.locator('ol').getAttribute('start'), '12');
    assert.equal(await shown.frame.locator('h2').textContent(), passage.citation);
    await isHarmless(shown);
  });

  test('an entity and its relations, drawn and listed', async () => {
    const relations = HOSTILE.map((target, at) => ({
      ...{
        source: 'Checkout',
        type: at === 0 ? HOSTILE[1] : 'USES',
        target,
        stated: at !== 2,
        confidence: 1,
      },
      evidence: [{ citation: `${HOSTILE[3]}:1-2` }],
    }));
    const shown = await show(neighbourhoodView, {
      content: [],
      structuredContent: { resolved: { name: 'Checkout' }, relations, total: 9 },
    });
    await shown.frame
      .locator('ul li')
      .nth(HOSTILE.length - 1)
      .waitFor();
    assert.equal(await shown.frame.locator('svg .node').count(), HOSTILE.length + 1);
    assert.equal(await shown.frame.locator('svg line.near').count(), 1);
    assert.deepEqual(await shown.frame.locator('svg .node:not(.centre) title').allTextContents(), HOSTILE);
    assert.match((await shown.frame.locator('main').textContent())!, /5 of 9 relations/);
    await isHarmless(shown);
  });

  test('what has no view of its own is shown as its text', async () => {
    const answer = { content: [{ type: 'text', text: HOSTILE[0] }], structuredContent: { outline: [] } };
    const shown = await show(citationView, answer);
    await shown.frame.locator('pre').waitFor();
    assert.equal(await shown.frame.locator('pre').textContent(), HOSTILE[0]);
    await isHarmless(shown);
    const failed = await show(neighbourhoodView, { ...answer, isError: true });
    await failed.frame.locator('pre').waitFor();
    await isHarmless(failed);
  });
});
