// A process that reads so many times and looks for torn results. Arguments: home, times. Prints what it saw as JSON.

import { sqliteStores } from '../../src/stores/sqlite/stores.ts';
import { MODEL, query, vector } from '../contract/fixtures.ts';
import { generated, markOf } from './generated.ts';

const [home, times] = process.argv.slice(2) as [string, string];
const stores = sqliteStores({ home, now: () => new Date() });
const store = await stores.open('faults');
const seen = { hits: 0, torn: [] as string[] };
process.stdout.write('ready\n');
for (let n = 0; n < Number(times); n += 1) {
  const path = `p${n % 12}`;
  const chunks = await store.documents.chunks('docs', path);
  const first = chunks[0];
  if (first) {
    const version = first.metadata['version'] as number;
    const expected = generated(path, version);
    const whole =
      chunks.length === first.totalChunks &&
      chunks.every(
        (chunk, at) => chunk.text === expected.chunks[at]?.text && chunk.sha256 === expected.info.sha256,
      );
    if (!whole) seen.torn.push(`${path} v${version}: ${chunks.length} of ${first.totalChunks}`);
    const words = await store.search.words({ query: query([markOf(path, version)]), scope: {}, limit: 60 });
    // The document may have been replaced in between: then all of the old one is gone at once.
    if (words.hits.length !== 0 && words.hits.length !== expected.chunks.length)
      seen.torn.push(`${path} v${version}: ${words.hits.length} hits for ${expected.chunks.length} chunks`);
    seen.hits += words.hits.length;
  }
  const near = await store.search.vectors({ vector: vector(0.3), model: MODEL, scope: {}, limit: 20 });
  const loaded = await store.search.chunks(near.hits.map((hit) => hit.id));
  if (loaded.some((chunk) => !chunk.text.includes(chunk.path))) seen.torn.push('a hit shows another text');
  const { stats } = (await store.collections.get('docs'))!;
  if (stats.vectors !== stats.chunks) seen.torn.push(`${stats.vectors} vectors for ${stats.chunks} chunks`);
  await new Promise((resolve) => setImmediate(resolve));
}
await stores.close();
process.stdout.write(`${JSON.stringify(seen)}\n`);
