import assert from 'node:assert/strict';
import type { Visit } from './support.ts';

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
