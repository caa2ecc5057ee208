// Which database and collections a call may touch, with a store that only lists them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LOCAL,
  localCall,
  requireCollection,
  requireEverything,
  requireScope,
  type Call,
  type Principal,
} from '../../src/engine/call.ts';
import type { EngineDeps } from '../../src/engine/deps.ts';
import {
  allowedDatabase,
  findCollection,
  openDatabase,
  resolveCollections,
  visibleCollections,
  writableCollection,
  type CollectionView,
} from '../../src/engine/scope.ts';
import type { Store } from '../../src/ports/store.ts';

const view = (name: string, more: object = {}): CollectionView =>
  ({ name, stats: { chunks: 1, documents: 1 }, ...more }) as CollectionView;

const manual = view('vai-manual', { onlyNamed: true });
const all = [view('docs'), view('Notes'), manual];

const storeOf = (collections: CollectionView[]): Store =>
  ({ collections: { list: () => Promise.resolve(collections) } }) as unknown as Store;

function depsOf(settings: object = {}, databases: string[] = ['vai', 'team']): EngineDeps {
  const opened = (name: string) => Promise.resolve({ database: name });
  return {
    settings: { defaultDb: 'vai', ...settings },
    stores: {
      open: opened,
      has: (name: string) => Promise.resolve(databases.includes(name)),
      list: () => Promise.resolve(databases),
    },
  } as unknown as EngineDeps;
}

const key = (more: Partial<Principal>): Call => ({ principal: { ...LOCAL, id: 'key', ...more } });
const limited = key({ collections: ['docs'] });

async function names(call: Call, request: { names?: string[] }, settings = {}, collections = all) {
  const found = await resolveCollections(depsOf(settings), storeOf(collections), call, request);
  const listed = found.collections.map(({ name }) => name);
  return { names: listed, all: found.all, everything: found.everything, scope: found.scope };
}

describe('a database', () => {
  it('is the default one or one the caller may name', async () => {
    assert.equal(allowedDatabase(depsOf(), localCall()), 'vai');
    assert.equal(allowedDatabase(depsOf(), localCall(), 'team'), 'team');
    const bound = key({ databases: ['vai'] });
    assert.equal(allowedDatabase(depsOf(), bound), 'vai');
    assert.throws(() => allowedDatabase(depsOf(), bound, 'team'), { code: 'NOT_ALLOWED' });
    assert.throws(() => allowedDatabase(depsOf(), localCall(), '../x'), { code: 'INVALID_INPUT' });
    assert.equal(await openDatabase(depsOf(), localCall(), 'team').then((s) => s.database), 'team');
  });

  it('comes into being by writing only', async () => {
    await assert.rejects(openDatabase(depsOf(), localCall(), 'tema'), {
      code: 'DATABASE_NOT_FOUND',
      suggestions: ['team'],
    });
    const hidden = key({ databases: ['vai', 'tema'] });
    await assert.rejects(openDatabase(depsOf(), hidden, 'tema'), { suggestions: [] });
    assert.equal((await openDatabase(depsOf(), localCall(), 'new', 'create')).database, 'new');
    assert.equal((await openDatabase(depsOf({}, []), localCall())).database, 'vai', 'the default may be new');
    const deps = depsOf();
    const unknowing = { ...deps, stores: { ...deps.stores, has: undefined } } as unknown as EngineDeps;
    assert.equal((await openDatabase(unknowing, localCall(), 'other')).database, 'other');
  });
});

describe('collections', () => {
  it('are seen by who may read them', async () => {
    const seen = (call: Call) =>
      visibleCollections(storeOf(all), call).then((found) => found.map(({ name }) => name));
    assert.deepEqual(await seen(localCall()), ['docs', 'Notes', 'vai-manual']);
    assert.deepEqual(await seen(limited), ['docs']);
    await assert.rejects(seen(key({ scopes: ['write'] })), { code: 'NOT_ALLOWED' });
  });

  it('are all but those that want to be named, when none is', async () => {
    const unnamed = { names: ['docs', 'Notes'], all: true, everything: false, scope: undefined };
    assert.deepEqual(await names(localCall(), {}), unnamed);
    assert.deepEqual(await names(localCall(), { names: [] }), unnamed);
    assert.deepEqual(await names(localCall(), { names: ['*'] }, { defaultCollection: 'docs' }), unnamed);
    const two = await names(localCall(), {}, {}, all.slice(0, 2));
    assert.deepEqual([two.all, two.everything], [true, true]);
    const empty = view('docs', { stats: { chunks: 0, documents: 0 } });
    assert.deepEqual((await names(localCall(), {}, {}, [empty, manual])).names, ['docs', 'vai-manual']);
    assert.deepEqual(await names(limited, {}), {
      names: ['docs'],
      all: true,
      everything: false,
      scope: undefined,
    });
  });

  it('are the default one, for who may see it', async () => {
    const settings = { defaultCollection: 'Notes' };
    assert.deepEqual((await names(localCall(), {}, settings)).names, ['Notes']);
    assert.equal((await names(localCall(), {}, settings)).all, false);
    assert.deepEqual((await names(limited, {}, settings)).names, ['docs']);
  });

  it('are the named ones, each once, in any case', async () => {
    const found = await names(localCall(), { names: ['notes', 'Notes', 'docs'] });
    assert.deepEqual([found.names, found.all, found.everything], [['Notes', 'docs'], false, false]);
    const both = await names(localCall(), { names: ['docs', 'Notes'] }, {}, all.slice(0, 2));
    assert.equal(both.everything, true);
    assert.equal((await names(limited, { names: ['docs'] })).everything, false);
    await assert.rejects(names(limited, { names: ['Notes'] }), {
      code: 'COLLECTION_NOT_FOUND',
      suggestions: [],
    });
    await assert.rejects(names(localCall(), { names: ['dcos'] }), {
      suggestions: ['docs'],
      hint: 'Did you mean `docs`?',
    });
  });

  it('are those of the project, and what is missing is told to who may see it', async () => {
    const project = { file: '<project>/.vai.json', collections: ['docs', 'zod'] };
    assert.deepEqual(await names(localCall(), {}, { project, defaultCollection: 'Notes' }), {
      names: ['docs'],
      all: false,
      everything: false,
      scope: { project: project.file, collections: ['docs'], missing: ['zod'] },
    });
    assert.deepEqual((await names(limited, {}, { project })).scope!.missing, []);
    assert.deepEqual((await names(localCall(), { names: ['Notes'] }, { project })).names, ['Notes']);
    assert.equal((await names(localCall(), { names: ['*'] }, { project })).all, true);
    const only = await names(localCall(), {}, { project }, [view('docs')]);
    assert.equal(only.everything, true);
  });

  it('of a version are some of those, and never all of them', async () => {
    const found = await resolveCollections(depsOf(), storeOf(all.slice(0, 2)), localCall(), {
      names: ['docs', 'Notes'],
      version: '2',
    });
    assert.deepEqual([found.all, found.everything], [false, false]);
  });

  it('are matched by their exact name before any other', () => {
    const twins = [view('docs'), view('Docs')];
    assert.equal(findCollection(twins, 'Docs').name, 'Docs');
    assert.throws(() => findCollection(twins, 'DOCS'), { code: 'COLLECTION_NOT_FOUND' });
    assert.equal(findCollection([view('Docs')], 'DOCS').name, 'Docs');
    const many = Array.from({ length: 12 }, (_, at) => view(`c${at + 10}`));
    assert.throws(() => findCollection(many, 'unlike'), {
      hint: /^The collections are `c10`, .*`c19` and 2 more\.$/,
    });
    assert.throws(() => findCollection([], 'unlike'), { hint: /add a document to create it/ });
  });
});

describe('writing', () => {
  it('goes to the named collection, else to the default', () => {
    assert.equal(writableCollection(depsOf(), localCall(), 'new'), 'new');
    assert.equal(writableCollection(depsOf(), localCall()), 'knowledge');
    const settings = { defaultCollection: 'team' };
    assert.equal(writableCollection(depsOf(settings), localCall()), 'team');
    assert.throws(() => writableCollection(depsOf(settings), limited), {
      code: 'NOT_ALLOWED',
      message: 'The default collection of this server is not open to this key.',
    });
    assert.throws(() => writableCollection(depsOf(), limited, 'other'), { code: 'COLLECTION_NOT_FOUND' });
    assert.equal(writableCollection(depsOf(), limited, 'docs'), 'docs');
    assert.throws(() => writableCollection(depsOf(), localCall(), '../x'), { code: 'INVALID_INPUT' });
    assert.throws(() => writableCollection(depsOf(), key({ scopes: ['read'] }), 'docs'), {
      code: 'NOT_ALLOWED',
    });
  });
});

describe('a caller', () => {
  it('without the scope is told so, or that the server is read-only', () => {
    const reader = key({ scopes: ['read'] }).principal;
    requireScope(reader, 'read');
    assert.throws(() => requireScope(reader, 'write'), { message: 'This key has no write scope.' });
    const readOnly = { ...reader, readOnly: true };
    requireScope(readOnly, 'read');
    assert.throws(() => requireScope(readOnly, 'write'), { message: 'This server is read-only.' });
  });

  it('needs the admin scope and every collection for a whole database', () => {
    requireEverything(LOCAL);
    assert.throws(() => requireEverything(limited.principal), {
      message: 'This key is for some collections only.',
    });
    assert.throws(() => requireEverything(key({ scopes: ['read', 'write'] }).principal), {
      message: 'This key has no admin scope.',
    });
  });

  it('learns of a hidden collection what it learns of one that is not there', () => {
    requireCollection(limited.principal, 'docs');
    assert.throws(() => requireCollection(limited.principal, 'Notes'), {
      code: 'COLLECTION_NOT_FOUND',
      hint: 'This key is for `docs` only.',
    });
    assert.throws(
      () => requireCollection(limited.principal, 'x'.repeat(200)),
      (thrown: Error) => thrown.message === `There is no collection \`${'x'.repeat(120)}\`.`,
    );
  });
});
