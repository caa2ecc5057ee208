// A process that writes documents without end, to be killed. Arguments: home, first number. Says `ready` once it writes.

import { sqliteStores } from '../../src/stores/sqlite/stores.ts';
import { collection } from '../contract/fixtures.ts';
import { generated } from './generated.ts';

const PATHS = 12;
const [home, first] = process.argv.slice(2) as [string, string];
const stores = sqliteStores({ home, now: () => new Date() });
const store = await stores.open('faults');
if (!(await store.collections.get('docs'))) await store.collections.put(collection('docs'));
process.stdout.write('ready\n');
for (let n = Number(first); ;) {
  const group = 1 + (n % 4);
  const writes = Array.from({ length: group }, (_, at) =>
    generated(`p${(n + at) % PATHS}`, Math.floor((n + at) / PATHS)),
  );
  if (n % 17 === 0) await store.documents.remove('docs', `p${n % PATHS}`);
  await Promise.all(writes.map((write) => store.documents.replace(write)));
  n += group;
  // Lets signals and timers in: a real ingest reads files between its writes.
  await new Promise((resolve) => setImmediate(resolve));
}
