// One walk through the page in Firefox, without a single error in its console.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFirefox, startFirefox } from './firefox.ts';
import { startSite } from './support.ts';

const executable = findFirefox();
if (!executable)
  console.error(
    '\nNOTICE: no Firefox here, so the page was NOT tested in it. Debian: apt-get install firefox-esr\n',
  );

test('the page works in Firefox', { skip: executable ? false : 'Firefox is missing' }, async () => {
  const site = await startSite();
  try {
    await using firefox = await startFirefox(executable!);
    const there = (selector: string): string =>
      `document.querySelector(${JSON.stringify(selector)}) !== null`;
    const go = (hash: string): Promise<unknown> => firefox.evaluate(`void (location.hash = '${hash}')`);
    await firefox.open(`${site.origin}/`);
    await firefox.until(there('.key-input'));
    await firefox.evaluate(
      `void (document.querySelector('.key-input').value = '${site.adminKey}', document.querySelector('form.gate').requestSubmit())`,
    );
    await firefox.until(there('#query'));
    await go('#/search?q=payment+fails');
    await firefox.until(there('.results .card'));
    await firefox.evaluate("document.querySelector('.card-link').click()");
    await firefox.until(there('.doc-text .cited'));
    const top = await firefox.evaluate(
      "document.querySelector('.doc-text .cited').getBoundingClientRect().top",
    );
    assert.ok(Number(top) >= 0 && Number(top) < 700, `the cited lines are in view: ${String(top)}`);
    for (const [hash, sign] of [
      ['#/collections', '.tile .manage'],
      ['#/add', '.offer'],
      ['#/graph?e=CheckoutService', '.graph-card'],
      ['#/health', '.plot canvas'],
      ['#/access', '.keys tbody tr'],
    ] as const) {
      await go(hash);
      await firefox.until(there(sign));
    }
    const wide = await firefox.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok(Number(wide) <= 0, 'nothing is wider than the window');
    assert.deepEqual(firefox.complaints, []);
  } finally {
    await site.close();
  }
});
