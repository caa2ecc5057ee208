// npm run bench:mongodb: real documentation into the MongoDB store through the stand-in. How long an ingest and a search
// take, and what is left when the ingesting process is killed at ten random points: never half a document.
// Times are those of the stand-in on this machine, not of Atlas.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../src/ports/store.ts';
import { parseQuery } from '../src/engine/search/parse-query.ts';
import { mongodbStores } from '../src/stores/mongodb/stores.ts';
import { startMongod } from '../test/support/mongod/start.ts';
import { markdownFiles, unpackDocs, workspace } from './lib/docs.ts';
import { percentile, round, table } from './lib/measure.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';

const ROUNDS = 10;
const COLLECTION = 'react';
const CLI = resolve(import.meta.dirname, '../src/cli/bin/vai.ts');

const options = benchOptions();
requireData(join(options.data, 'docs', 'react.tar.gz'));
const space = workspace('bench-mongodb');
const mongod = await startMongod({ keepData: true, transactionLifetimeMs: 5000 });
const stores = mongodbStores({ settings: { mongodbUri: mongod.uri }, now: () => new Date() });
const rows: (string | number)[][] = [['what', 'value']];
try {
  const folder = unpackDocs(options.data, ['react'], join(space.folder, 'docs'));
  const files = markdownFiles(folder);
  const store = await stores.open('vai');

  const began = performance.now();
  await ingest(folder);
  const wall = performance.now() - began;
  const { stats } = (await store.collections.get(COLLECTION))!;
  rows.push(['documents', stats.documents], ['chunks', stats.chunks], ['ingest (s)', wall / 1000]);
  rows.push(['search by words p50 (ms)', await searchTime(store, files)]);

  const report = { killed: 0, whole: 0, half: 0, newer: 0 };
  for (let run = 1; run <= ROUNDS; run += 1) {
    for (const { path, text } of files) writeFileSync(path, `${text}\n\nchanged in round ${run}\n`);
    await ingest(folder, Math.random() * wall * 0.8);
    report.killed += 1;
    const { whole, newer, half } = await look(store, folder, files, run);
    report.whole += whole;
    report.half += half;
    report.newer += newer;
    const { problems } = await store.check();
    const bad = problems.filter((problem) => !problem.includes('left by an ingest'));
    if (bad.length) console.log(`round ${run}: ${bad.join('; ')}`);
    report.half += bad.length;
  }
  rows.push(['killed at random points', report.killed], ['documents looked at', report.whole + report.half]);
  rows.push(['of the new text', report.newer], ['half-replaced documents', report.half]);
  await ingest(folder);
  await store.compact();
  const { ok, problems } = await store.check();
  rows.push(['sound after the next ingest', ok ? 'yes' : problems.join('; ')]);
  console.log(table(rows));
  writeJson(options.json, {
    documents: stats.documents,
    chunks: stats.chunks,
    ingestSeconds: round(wall / 1000),
    ...report,
    ok,
  });
} finally {
  await stores.close();
  await mongod.stop();
  space.remove();
}

/** `vai ingest`, killed after so many milliseconds if given. */
async function ingest(folder: string, killAfter?: number): Promise<void> {
  const child = spawn(process.execPath, [CLI, 'ingest', folder, '--collection', COLLECTION, '--json'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: space.folder,
      VAI_HOME: join(space.folder, 'home'),
      VAI_STORE: 'mongodb',
      MONGODB_URI: mongod.uri,
    },
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  if (killAfter !== undefined) {
    await Promise.race([sleep(500 + killAfter, undefined, { ref: false }), ended]);
    child.kill('SIGKILL');
    await ended;
  } else if ((await ended)[0] !== 0) throw new Error('the ingest failed');
}

/** Every document is one of the texts its file has had, and its chunks are those of that text. */
async function look(
  store: Store,
  folder: string,
  files: { path: string; text: string }[],
  run: number,
): Promise<{ whole: number; newer: number; half: number }> {
  const seen = { whole: 0, newer: 0, half: 0 };
  for (const { path, text } of files) {
    const stored = await store.documents.text(COLLECTION, relative(folder, path));
    const chunks = await store.documents.chunks(COLLECTION, relative(folder, path));
    const versions = [
      text,
      ...Array.from({ length: run }, (_, n) => `${text}\n\nchanged in round ${n + 1}\n`),
    ];
    const known = versions.findIndex((version) => version === stored);
    const fits = chunks.every(
      (chunk) => stored?.slice(chunk.start, chunk.end) === chunk.text.slice(chunk.prefix?.length ?? 0),
    );
    if (known === -1 || !fits || chunks.length === 0) seen.half += 1;
    else seen.whole += 1;
    if (known === run) seen.newer += 1;
  }
  return seen;
}

async function searchTime(store: Store, files: { text: string }[]): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < 40; at += 1) {
    const words = files[(at * 7) % files.length]!.text.match(/\b[a-z]{5,}\b/gi) ?? ['react'];
    const query = parseQuery([words[3], words[20], words[40]].filter(Boolean).join(' '));
    const began = performance.now();
    await store.search.words({ query, scope: { collections: [COLLECTION] }, limit: 10 });
    times.push(performance.now() - began);
  }
  return percentile(times, 0.5);
}
