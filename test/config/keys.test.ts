// The decisions in the table of settings: what holds when nothing is set, how far each number may go, and what a
// project may not decide by itself.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findKey, KEYS, valueOf } from '../../src/config/keys.ts';
import { BadValue, readValue } from '../../src/config/read-value.ts';
import type { Settings } from '../../src/config/settings.ts';

const paths = { base: '/base', userHome: '/home/me' };
const read = (name: string, raw: unknown): unknown => readValue(findKey(name)!, raw, paths);

describe('the settings', () => {
  it('have these defaults', () => {
    const defaults = KEYS.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
    assert.deepEqual(Object.fromEntries(defaults), {
      store: 'sqlite',
      defaultDb: 'vai',
      chunk: {},
      field: 'embedding',
      index: 'vector_index',
      filterFields: [],
      autoIndex: true,
      maxChunks: 1_000_000,
      maxCollectionBytes: 2_000_000_000,
      maxCollections: 1_000,
      maxSpending: 10,
      openFolders: [],
      resultBudget: 40_000,
      showCost: false,
      databases: {},
      allowPrivate: false,
      allowHosts: true,
      offline: false,
      maxBytes: 100_000_000,
      github: 'https://github.com',
      extraTools: false,
      transport: 'stdio',
      port: 3100,
      host: '127.0.0.1',
      serverKeys: [],
      channels: 'both',
      verbose: false,
    });
  });

  const numbers: [name: string, least: number, most: number][] = [
    ['dimensions', 1, 8_192],
    ['maxChunks', 1, 1_000_000_000],
    ['maxCollectionBytes', 1, 1_000_000_000_000],
    ['maxCollections', 1, 1_000_000],
    ['maxSpending', 0, 1_000_000],
    ['resultBudget', 2_000, 400_000],
    ['maxBytes', 1, 2_000_000_000],
    ['port', 0, 65_535],
  ];
  for (const [name, least, most] of numbers)
    it(`\`${name}\` goes from ${least} to ${most}`, () => {
      for (const value of [least, most]) assert.equal(read(name, value), value);
      for (const value of [least - 1, most + 1]) assert.throws(() => read(name, value), BadValue);
    });

  const texts: [name: string, longest: number][] = [
    ['model', 120],
    ['rerankModel', 120],
    ['field', 120],
    ['index', 120],
    ['mongodbUri', 4_000],
    ['host', 255],
  ];
  for (const [name, longest] of texts)
    it(`\`${name}\` is at most ${longest} characters`, () => {
      assert.equal(read(name, 'x'.repeat(longest)), 'x'.repeat(longest));
      assert.throws(() => read(name, 'x'.repeat(longest + 1)), BadValue);
    });

  it('that say where texts go or what they are compared with need trust in a project', () => {
    const asked = KEYS.filter(({ project }) => project !== undefined);
    const names = (needsTrust: boolean) =>
      asked.flatMap((key) => (Boolean(key.needsTrust) === needsTrust ? [key.project] : []));
    assert.deepEqual(names(true), ['db', 'model', 'dimensions', 'field', 'index', 'filterFields']);
    assert.deepEqual(names(false), ['collection', 'inputType', 'chunk']);
  });

  it('that are secrets are known as such, and no project can set one', () => {
    const secret = KEYS.filter((key) => key.secret);
    for (const name of ['mongodbUri', 'serverKeys', 'voyage.apiKey', 'gemini.apiKey', 'openai.apiKey'])
      assert.ok(
        secret.some((key) => key.name === name),
        name,
      );
    for (const { name, project } of secret) assert.equal(project, undefined, name);
  });

  it('are found by each of their names', () => {
    for (const name of ['default-db', 'defaultDb']) assert.equal(findKey(name)?.name, 'defaultDb');
    for (const name of ['default-model', 'defaultModel', 'model']) assert.equal(findKey(name)?.name, 'model');
    assert.equal(findKey('port')?.name, 'port');
    for (const name of ['', 'undefined', 'PORT', 'nothing']) assert.equal(findKey(name), undefined);
  });

  it('are looked up among those of their provider', () => {
    const settings = { store: 'sqlite', providers: { voyage: { apiKey: 'k' } } } as unknown as Settings;
    assert.equal(valueOf(settings, findKey('store')!), 'sqlite');
    assert.equal(valueOf(settings, findKey('voyage.apiKey')!), 'k');
    assert.equal(valueOf(settings, findKey('gemini.apiKey')!), undefined);
  });
});
