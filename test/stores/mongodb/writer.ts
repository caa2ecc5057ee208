// A process that replaces documents without end, for a test to kill: `node writer.ts <uri> <database> <version>`.

import { fileURLToPath } from 'node:url';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { document, vector } from '../../contract/fixtures.ts';

/** Odd ones are big enough to be staged. */
export function draftOf(path: number, version: number) {
  const chunks = path % 2 ? 520 : 40;
  const text = Array.from(
    { length: chunks },
    (_, n) => `document ${path} version ${version} piece ${n}`,
  ).join('\n\n');
  return document({ path: `p${path}`, text, vectors: Array.from({ length: chunks }, () => vector(0.2)) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [uri, database, version] = process.argv.slice(2) as [string, string, string];
  const stores = mongodbStores({ settings: { mongodbUri: uri }, now: () => new Date() });
  const store = await stores.open(database);
  await store.ping();
  process.stdout.write('ready\n');
  for (let path = 0; ; path = (path + 1) % 8) await store.documents.replace(draftOf(path, Number(version)));
}
