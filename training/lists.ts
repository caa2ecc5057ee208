// Writes what the engine answers to every development question: the candidates of words and of meaning with their scores,
// and the built-in features of the first of them. Fusion, reranking and relevance are learned from that, and from nothing else.
// node training/lists.ts --train <folder> --out <prefix> [--weights <file>] [--docs <folder>] [--shapes pages,bare]
// With `--docs` the questions of `natural.ts` are asked, of projects that the shipped embedding has not seen.

import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { workspace } from '../bench/lib/docs.ts';
import { random } from '../bench/lib/random.ts';
import { composeParts } from '../src/compose.ts';
import { resolveSettings } from '../src/config/index.ts';
import { localCall } from '../src/engine/call.ts';
import type { EngineDeps } from '../src/engine/deps.ts';
import { createEngine } from '../src/engine/engine.ts';
import { openDatabase, resolveCollections, type CollectionView } from '../src/engine/scope.ts';
import { fuse, type RankedList } from '../src/engine/search/fuse.ts';
import { parseQuery } from '../src/engine/search/parse-query.ts';
import { readable } from '../src/engine/search/rerank.ts';
import { POOL, retrieve } from '../src/engine/search/retrieve.ts';
import { createFeatures, FEATURES, type Features } from '../src/models/builtin/features.ts';
import { builtinWeights, readWeights } from '../src/models/builtin/weights.ts';
import type { Store, StoredChunk } from '../src/ports/store.ts';
import { natural } from './natural.ts';
import { shapes, strange, type Query, type Shape } from './shapes.ts';

interface Line {
  shape: string;
  kind: string;
  query: string;
  /** Number of right documents; 0 where the question belongs to another collection. */
  right: number;
  /**
   * In the order of the first stage; `exact` says that the passage itself answers, not only its document. A score is
   * null where the candidate is not among that retriever's hundred.
   */
  candidates: [gain: number, document: number, words: number | null, meaning: number | null, exact: number][];
  /** The first stage's scores of those whose features were written. */
  first: number[];
}

interface Asked {
  deps: EngineDeps;
  store: Store;
  collections: CollectionView[];
  features: Features;
}

const { values } = parseArgs({
  options: {
    weights: { type: 'string' },
    out: { type: 'string' },
    train: { type: 'string' },
    shapes: { type: 'string' },
    docs: { type: 'string' },
  },
});
// The embedding that has not seen these projects stands in for the shipped one.
if (values.weights) Object.assign(builtinWeights(), readWeights(pathToFileURL(values.weights)));
const call = localCall();
/** Candidates whose features are written: as many as `rerank.py` learns from. */
const READ = 50;
const space = workspace('lists');
const lines: Line[] = [];
const rows = createWriteStream(`${values.out}.f32`);
try {
  const wanted = values.shapes?.split(',');
  const next = random(11);
  const all = values.docs ? await natural(values.docs, next) : shapes(values.train!, next);
  const others = strange(values.train!, all, next);
  for (const shape of all)
    if (!wanted || wanted.includes(shape.name.split('-')[0]!)) await run(shape, others(shape.name));
} finally {
  space.remove();
}
rows.end();
writeFileSync(`${values.out}.json`, JSON.stringify({ features: FEATURES, lines }));

/** A shape becomes a folder of files, ingested and asked as a user's would be. */
async function run(shape: Shape, others: readonly Query[]): Promise<void> {
  const home = join(space.folder, `home-${shape.name}`);
  const env = { VAI_HOME: home };
  const settings = resolveSettings({ env, cwd: space.folder, home });
  const deps = await composeParts({ settings, env, cwd: home });
  const engine = createEngine(deps);
  try {
    const folder = join(space.folder, shape.name);
    mkdirSync(folder);
    shape.documents.forEach((text, at) =>
      writeFileSync(join(folder, `${at}.${shape.extensions?.[at] ?? 'md'}`), text),
    );
    await engine.ingest.files(call, { paths: [folder], collection: shape.name });
    const store = await openDatabase(deps, call);
    const { collections } = await resolveCollections(deps, store, call, { names: [shape.name] });
    const asked = { deps, store, collections, features: createFeatures(builtinWeights()) };
    for (const query of [...shape.queries, ...others]) await ask(asked, shape.name, query);
    process.stdout.write(
      `${shape.name}: ${shape.documents.length} documents, ${shape.queries.length} queries\n`,
    );
  } finally {
    await engine.close();
  }
}

async function ask(
  { deps, store, collections, features }: Asked,
  shape: string,
  asked: Query,
): Promise<void> {
  const { kind, right } = asked;
  const text = asked.text.replaceAll(/["+*()#:]/g, ' ').replaceAll(/(^|\s)-+/g, ' ').trim(); // prettier-ignore
  if (text === '') return;
  const where = { deps, store, call, collections, scope: { collections: [shape] } };
  const { lists } = await retrieve({ ...where, query: parseQuery(text), text, mode: 'hybrid', pool: POOL });
  const fused = fuse(lists);
  const chunks = new Map((await store.search.chunks(fused.map(({ id }) => id))).map((c) => [c.id, c]));
  const [words, meaning] = [scores(lists, 'words'), scores(lists, 'meaning')];
  const head = fused.slice(0, READ);
  const read = head.map(({ id, scores }) => ({ ...readable(chunks.get(id)!), ...scores }));
  rows.write(Buffer.from(Float32Array.from(features(text, read).rows.flat()).buffer));
  lines.push({
    shape,
    kind,
    query: text,
    right: new Set(right).size,
    candidates: fused.map(({ id }) => {
      const chunk = chunks.get(id)!;
      const document = Number.parseInt(chunk.path, 10);
      const scored = [words.get(id) ?? null, meaning.get(id) ?? null] as const;
      return [right.includes(document) ? 1 : 0, document, ...scored, answers(asked, chunk) ? 1 : 0];
    }),
    first: head.map(({ score }) => score),
  });
}

function answers({ right, lines }: Query, chunk: StoredChunk): boolean {
  const at = right.indexOf(Number.parseInt(chunk.path, 10));
  if (at === -1) return false;
  const place = lines?.[at];
  return !place || (chunk.startLine <= place.to && chunk.endLine >= place.from);
}

function scores(lists: readonly RankedList[], retriever: RankedList['retriever']): Map<string, number> {
  const hits = lists.filter((list) => list.retriever === retriever).flatMap((list) => list.hits);
  return new Map(hits.map(({ id, score }) => [id, score]));
}
