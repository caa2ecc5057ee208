// Tests of the page in a browser, and what holds on every visit.

import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { Browser } from 'playwright-core';
import { enter, findChromium, launch, visit, type Site, type Visit, type VisitOptions } from './support.ts';

export interface Place {
  site: Site;
  browser: Browser;
  visit: (options?: VisitOptions) => Promise<Visit>;
  /** Enters with a key, runs the steps and then checks what holds on every visit. */
  on: (steps: (seen: Visit) => Promise<void>, key?: string) => Promise<void>;
}

/** Tests of a site in a browser, skipped where there is none; the site and the browser are there once a test runs. */
export function describePage(name: string, start: () => Promise<Site>, tests: (place: Place) => void): void {
  const executable = findChromium();
  describe(name, { skip: executable ? false : 'Chromium is missing' }, () => {
    const place = {
      visit: (options) => visit(place.browser, place.site, options),
      async on(steps, key = place.site.key) {
        const seen = await place.visit();
        try {
          await enter(seen, key);
          await steps(seen);
          await wellBehaved(seen, key);
        } finally {
          await seen.context.close();
        }
      },
    } as Place;
    before(async () => {
      [place.site, place.browser] = await Promise.all([start(), launch(executable!)]);
    });
    after(async () => {
      await place.browser?.close();
      await place.site?.close();
    });
    tests(place);
  });
}

/** What holds on every visit. */
export async function wellBehaved({ page, complaints, asked }: Visit, key: string): Promise<void> {
  assert.deepEqual(complaints, []);
  const strange = asked.filter(
    (url) => !/^\/(mcp|admin|health|sign-in|[\w.-]*(\?.*)?|icon\.svg)$/.test(url.split('#')[0]!),
  );
  assert.deepEqual(strange, [], 'only its own files and routes');
  const stored = await page.evaluate(() =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
    ]),
  );
  assert.ok(!stored.includes(key), 'the key is nowhere but in memory');
  assert.ok(!(await page.content()).includes(key), 'nor in the document');
}
