// Pasted commands and messages, whose signs look like operators.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { asPasted, isPasted } from '../../../src/engine/search/pasted.ts';
import { parseQuery } from '../../../src/engine/search/parse-query.ts';
import type { Candidate } from '../../../src/engine/search/rerank.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

describe('the signs of a question', () => {
  const mayBe = (text: string): boolean => asPasted(parseQuery(text), text) !== undefined;

  it('may be text in a command, and in what is punctuated like a message', () => {
    for (const text of [
      'tar -xzf a.tgz',
      'git commit -am "a b"',
      'error: no "a" there',
      '[warn] no "a" there',
      'File "a", line 1\nb: c',
    ])
      // prettier-ignore
      assert.equal(mayBe(text), true, text);
    const searches = ['a b', '"a b"', 'a "b c"', 'a "b", "c"', 'here, a "b"', 'error: "a b"', 'a:b "c"', '+ab: b -cd', 'a AND -bc', '-ab', 'title:ab -cd']; // prettier-ignore
    for (const text of searches) assert.equal(mayBe(text), false, text);
  });

  it('are text where a passage is quoted, and what they exclude stands there with its sign', () => {
    const best = (text: string) => ({ chunk: { id: 'best', text } }) as unknown as Candidate;
    const is = (question: string, text: string, quoted = ['best']): boolean =>
      isPasted(parseQuery(question), best(text), new Set(quoted));
    assert.equal(is('tar -xzf a', 'run `tar -xzf archive`'), true);
    for (const text of ['tar xzf a', 'tar --xzf a', 'tar a-xzf', 'tar -xzfv']) assert.equal(is('tar -xzf a', text), false, text); // prettier-ignore
    assert.equal(is('tar -xzf a', 'tar -xzf', ['other']), false);
    assert.equal(is('error: no "a"', 'no such thing'), true);
    assert.equal(isPasted(parseQuery('tar -xzf'), undefined, new Set()), false);
  });
});

describe('a pasted text with signs, searched', () => {
  let temp: TempEngine;
  const call = localCall();
  const COMMAND = 'openssl req -new -key key.pem -out csr.pem';
  const MESSAGE = 'harbour[12]: cannot lift the anchor off the ground at "main" while moored';
  before(async () => {
    temp = await tempEngine();
    const add = (source: string, text: string) =>
      temp.engine.ingest.text(call, { text, source, collection: 'net' });
    for (let at = 0; at < 24; at += 1)
      await add(
        `page-${at}.md`,
        `# Page ${at}\n\nThe main harbour ${at} of openssl, req and csr.pem: an anchor.`,
      );
    await add('keys.md', `# Requests\n\nTo make a request, run \`${COMMAND}\` beside the key.`);
    await add('moored.md', '# Moored\n\nIt says: cannot lift the anchor off the ground at %s while moored. Let go of every line.'); // prettier-ignore
  });
  after(() => temp.close());

  it('is found first by every search, with a notice', async () => {
    const { search, docs, graph } = temp.engine;
    for (const [query, path] of [
      [COMMAND, 'keys.md'],
      [MESSAGE, 'moored.md'],
    ] as const) {
      for (const limit of [1, 10]) {
        const found = await search.run(call, { query, collections: ['net'], limit });
        assert.deepEqual([found.hits[0]!.path, found.verdict], [path, 'answered']);
        assert.match(found.notices.map(({ message }) => message).join(), /taken for a pasted text/);
      }
      const found = await docs.find(call, { query, source: 'net' });
      assert.equal(found.hits[0]!.alias, `net/${path}`);
      const related = await graph.search(call, { query, mode: 'hybrid', limit: 3, collection: 'net' });
      assert.equal(related.results[0]!.path, path);
    }
  });

  it('is read as operators where they are meant', async () => {
    const paths = async (query: string): Promise<string[]> =>
      (await temp.engine.search.run(call, { query, collections: ['net'], limit: 50 })).hits.map((hit) => hit.path); // prettier-ignore
    assert.ok(!(await paths('cannot lift the anchor off the ground "main"')).includes('moored.md'));
    assert.ok(!(await paths('lift the anchor of harbour -moored')).includes('moored.md'));
    assert.ok(!(await paths('openssl AND req AND -new -out')).includes('keys.md'));
  });
});
