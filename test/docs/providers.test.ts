// The pages that list whose models vai can use list every provider: a new one does not get there by itself.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { PROVIDERS } from '../../src/models/providers.ts';

/** What ships with vai is described in words of its own. */
const chosen = PROVIDERS.filter(({ id }) => !['builtin', 'rules'].includes(id));

const LISTS: [what: string, page: string, line: RegExp, listed: typeof chosen][] = [
  ['the picture of the parts', 'README.md', /models\[models: .*/, chosen],
  ['where texts go', 'docs/security.md', /^\| Voyage AI, .*/m, chosen.filter(({ hosted }) => hosted)],
  ['trust', 'docs/decisions/fusion.md', /\*Trust\* is .*/, chosen],
  [
    'what each needs',
    'docs/models-and-costs.md',
    /^\| provider \| embedding model [^]*?\n\n/m,
    chosen.filter(({ automatic }) => !automatic),
  ],
  ['embedders', 'docs/graph.md', /^\| `embedder` .*/m, thatCan('embed')],
  ['extractors', 'docs/graph.md', /^\| `extractor` .*/m, thatCan('extract')],
];

function thatCan(ability: 'embed' | 'extract'): typeof chosen {
  return chosen.filter(({ abilities }) => abilities.includes(ability));
}

for (const [what, page, line, listed] of LISTS)
  test(`${page} names every provider: ${what}`, () => {
    const text = line.exec(readFileSync(resolve(import.meta.dirname, '../..', page), 'utf8'))?.[0];
    assert.ok(text, `no line of ${page} matches ${String(line)}`);
    const missing = listed.map(({ id }) => id).filter((id) => !new RegExp(`\\b${id}\\b`, 'i').test(text));
    assert.deepEqual(missing, [], `add to ${page}`);
  });
