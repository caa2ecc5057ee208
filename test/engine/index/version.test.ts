// What is indexed of a file is kept until INDEX_VERSION is another: whoever changes what a reader, the chunker or the words
// of a chunk give has to raise it, or nobody who has indexed such files gets the change.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { BLOCK_PROFILE, INGEST_PROFILE } from '../../../src/domain/chunk.ts';
import { assemble, INDEX_VERSION } from '../../../src/engine/index/prepare.ts';
import { analyse } from '../../../src/engine/text/analyse.ts';
import { readFile } from '../../../src/sources/files/read.ts';

const PROSE = 'Herons stand still, then strike. The maxRetryCount of a heron is über 3. '.repeat(30);

const CODE = `import { open } from './store.ts';

/** Says hello. */
export class Greeter extends Base {
  greet(name: string): string {
    return open(name);
  }
}
`;

const MARKED = `---
title: Birds
tags: [a, b]
---

[![badge](https://x.example/b.svg)](https://x.example)

# Herons

## Hunting

${PROSE}

- one
- two

| bird | food |
|---|---|
| stork | frogs |

\`\`\`ts
${CODE}\`\`\`

## More

[link]: https://x.example/a
`;

const UNDERLINED = `Herons
======

.. glossary::

   Egg
      What it is.

Hunting
-------

${PROSE}
`;

const PAGE = `<html><head><title>Birds</title></head><body><nav><a href="/">Home</a></nav><main><h1>Herons</h1>
<p>${PROSE}</p><h2>Food</h2><ul><li>frogs</li></ul><pre><code>${CODE}</code></pre></main></body></html>`;

const CELLS = {
  nbformat: 4,
  metadata: { language_info: { name: 'python' } },
  cells: [
    { cell_type: 'markdown', source: ['# Herons\n', 'They stand.'] },
    { cell_type: 'code', source: 'print(1)', outputs: [{ output_type: 'stream', text: ['1\n'] }] },
  ],
};

const INTERFACE = {
  openapi: '3.1.0',
  info: { title: 'Birds', version: '1' },
  paths: { '/herons': { get: { summary: 'List herons', responses: { 200: { description: 'All' } } } } },
};

/** Cues of subtitles, a list and settings: formats that are read as they are until somebody reads them better. */
const PLAIN = `1
00:00:01,000 --> 00:00:02,000
Herons stand still.

[birds]
heron = 3

* Herons
== Storks ==

${PROSE}
`;

const SAMPLES: Record<string, string> = {
  'a.md': MARKED,
  'b.md': `${PROSE}\n\n## Hunting\n\n${PROSE}\n`,
  'a.rst': UNDERLINED,
  'a.adoc': `= Birds\n\n== Herons\n\n----\n== none\n----\n\nHunting\n-------\n\n${PROSE}\n`,
  'a.html': PAGE,
  'a.ipynb': JSON.stringify(CELLS),
  'a.json': JSON.stringify(INTERFACE, null, 2),
  'a.ts': CODE,
  'a.sql': 'CREATE TABLE herons (id int);\n\nCREATE VIEW storks AS SELECT 1;\n',
  ...Object.fromEntries(
    ['txt', 'csv', 'log', 'toml', 'xml', 'tex', 'srt', 'vtt', 'org', 'wiki', 'po'].map((type) => [
      `a.${type}`,
      PLAIN,
    ]),
  ),
};

interface Golden {
  version: string;
  samples: Record<string, string>;
}

const file = new URL('./version.golden.json', import.meta.url);

async function indexed(path: string, text: string): Promise<string> {
  const read = await readFile(path, Buffer.from(text));
  const made = [BLOCK_PROFILE, INGEST_PROFILE].map((profile) => {
    const input = { collection: 'c', path, read, fetchedAt: '', profile };
    const { write, texts } = assemble(input, analyse({ read, profile }));
    const { info, ...rest } = write;
    return [info.title, info.metadata, rest, texts];
  });
  return hash('sha256', JSON.stringify(made)).slice(0, 16);
}

it('what is indexed of a file changes with INDEX_VERSION alone', async () => {
  const golden = JSON.parse(readFileSync(file, 'utf8')) as Golden;
  const samples: Record<string, string> = {};
  for (const [path, text] of Object.entries(SAMPLES)) samples[path] = await indexed(path, text);
  const changed = Object.keys(samples).filter((path) => golden.samples[path] !== samples[path]);
  if (golden.version === INDEX_VERSION)
    assert.deepEqual(
      changed.filter((path) => path in golden.samples),
      [],
      'These are indexed in another way than before: raise INDEX_VERSION in src/engine/index/prepare.ts, then `npm run golden`',
    );
  if (process.env.UPDATE_GOLDEN)
    writeFileSync(file, `${JSON.stringify({ version: INDEX_VERSION, samples }, null, 2)}\n`);
  else assert.deepEqual({ version: INDEX_VERSION, samples }, golden, 'run `npm run golden`');
});
