import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import type { ChunkProfile } from '../../../src/domain/chunk.ts';
import {
  isCurrent,
  makePlan,
  wantedOf,
  type PlanOptions,
  type Stored,
} from '../../../src/engine/index/plan.ts';
import { folderStamp } from '../../../src/engine/index/origin.ts';
import { INDEX_VERSION } from '../../../src/engine/index/prepare.ts';
import type { Target } from '../../../src/engine/index/target.ts';
import type { Annotator } from '../../../src/engine/index/types.ts';
import type { Store } from '../../../src/ports/store.ts';

const ROOT = import.meta.dirname;
const PROFILE: ChunkProfile = { strategy: 'fixed', size: 100, overlap: 0 };
const indexed = (more: object = {}) => ({ version: INDEX_VERSION, chunking: PROFILE, ...more });
const stored = (path: string, more: Partial<Stored> = {}): Stored => ({
  path,
  rawSha256: `bytes of ${path}`,
  indexedWith: indexed({ folder: folderStamp(ROOT) }),
  ...more,
});

interface Given {
  documents: Stored[];
  files?: string[];
  folders?: { root: string; prefix: string; home?: string }[];
  options?: PlanOptions;
}

async function planOf({
  documents,
  files = [],
  folders = [{ root: ROOT, prefix: '' }],
  options = {},
}: Given) {
  const list = () => Promise.resolve({ documents });
  const found = files.map((path) => ({ file: path, path, bytes: 1, home: ROOT }));
  const given = folders.map((folder) => ({ home: folder.root, ...folder }));
  const store = { documents: { list } } as unknown as Store;
  const plan = await makePlan(store, 'docs', { found, folders: given, homes: [], skipped: [] }, options);
  return { plan, missing: [...plan.missing.keys()] };
}

describe('a plan', () => {
  it('knows what it needs of every stored document', async () => {
    const { plan } = await planOf({ documents: [stored('a.md')] });
    assert.deepEqual(
      [...plan.known],
      [['a.md', { ...stored('a.md'), origin: undefined, partial: undefined }]],
    );
  });

  it('misses the documents of its folder whose file was not found', async () => {
    const documents = [
      stored('found.md'),
      stored('gone.md'),
      stored('kept.md'),
      stored('note', { rawSha256: undefined }),
      stored('elsewhere.md', { indexedWith: indexed({ folder: folderStamp('elsewhere') }) }),
      stored('piped.md', { indexedWith: indexed() }),
    ];
    const given = { documents, files: ['found.md'], options: { keep: new Set(['kept.md']) } };
    assert.deepEqual((await planOf(given)).missing, ['gone.md']);
    assert.deepEqual((await planOf({ ...given, options: { owned: true } })).missing, [
      'gone.md',
      'kept.md',
      'elsewhere.md',
      'piped.md',
    ]);
    assert.deepEqual((await planOf({ ...given, folders: [] })).missing, []);
  });

  it('looks below the prefix of a folder, and for what the folder was called before', async () => {
    const folders = [{ root: ROOT, prefix: 'one/' }];
    const other = indexed({ folder: folderStamp('/two') });
    const documents = [stored('one/a.md'), stored('b.md'), stored('two/a.md', { indexedWith: other })];
    const { missing, plan } = await planOf({ documents, folders });
    assert.deepEqual(missing, ['one/a.md', 'b.md']);
    assert.equal(plan.movedFrom('/new', 'bytes of b.md')!.path, 'b.md');
    const former = [folderStamp('/two')];
    assert.deepEqual((await planOf({ documents, folders, options: { former } })).missing, [
      'one/a.md',
      'b.md',
      'two/a.md',
    ]);
  });

  it('finds the document that a file was, by its bytes', async () => {
    const { plan } = await planOf({ documents: [stored('old.md')] });
    assert.equal(plan.movedFrom('/new', 'bytes of old.md')!.path, 'old.md');
    assert.equal(plan.movedFrom('/new', 'other bytes'), undefined);
  });

  it('does not take a file for another that is still there', async () => {
    const here = basename(import.meta.filename);
    const { plan } = await planOf({ documents: [stored(here)] });
    assert.equal(plan.movedFrom('/new', `bytes of ${here}`), undefined);
    const folders = [{ root: ROOT, prefix: 'in/' }];
    const below = await planOf({ documents: [stored(`in/${here}`)], folders });
    assert.equal(below.plan.movedFrom('/new', `bytes of in/${here}`), undefined);
  });
});

describe('a stored document', () => {
  const target = (model?: string): Target =>
    ({
      chunking: (made: { chunking: ChunkProfile } | undefined) => made?.chunking ?? PROFILE,
      ...(model ? { embedder: {}, collection: { embedding: { model, dimensions: 2 } } } : {}),
    }) as unknown as Target;
  const annotator = { stamp: { schema: 'people' } } as unknown as Annotator;

  it('is current when it was made with what is wanted now', () => {
    const plain = wantedOf(target());
    assert.equal(isCurrent({ indexedWith: indexed() }, plain), true);
    assert.equal(isCurrent({ indexedWith: indexed(), partial: true }, plain), false);
    assert.equal(isCurrent({ indexedWith: indexed({ version: '0' }) }, plain), false);
    assert.equal(isCurrent({}, plain), false);
    const finer = { chunking: () => ({ ...PROFILE, size: 50 }) };
    assert.equal(isCurrent({ indexedWith: indexed() }, finer), false);
  });

  it('needs the model and the schema that are asked for, and may have others where none is', () => {
    const wanted = wantedOf(target('m'), annotator);
    assert.deepEqual([wanted.model, wanted.schema], ['m 2', 'people']);
    const made = (model?: string, schema?: string) => ({
      indexedWith: indexed({ model, graph: { schema } }),
    });
    assert.equal(isCurrent(made('m 2', 'people'), wanted), true);
    assert.equal(isCurrent(made('n 2', 'people'), wanted), false);
    assert.equal(isCurrent(made('m 2', 'boats'), wanted), false);
    assert.equal(isCurrent({ indexedWith: indexed({ model: 'm 2' }) }, wanted), false);
    assert.equal(isCurrent(made('n 2', 'boats'), wantedOf(target())), true);
  });
});

it('folders are told apart without naming them', () => {
  assert.match(folderStamp(ROOT), /^[0-9a-f]{16}$/);
  assert.notEqual(folderStamp(ROOT), folderStamp(`${ROOT}/sub`));
});
