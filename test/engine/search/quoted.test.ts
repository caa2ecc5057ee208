// Passages that a question quotes: pasted messages, commands, sentences.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { quotedFirst, quotedIn } from '../../../src/engine/search/quoted.ts';
import type { Candidate } from '../../../src/engine/search/rerank.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const candidate = (id: string, text: string, more: object = {}): Candidate =>
  ({ chunk: { id, text }, score: 0.5, ...more }) as unknown as Candidate;
const others = (text: string): Candidate[] =>
  Array.from({ length: 49 }, (_, at) => candidate(`other ${at}`, text));
const ids = (question: string, candidates: Candidate[]): string[] => [...quotedIn(question, candidates)];

describe('what a question quotes', () => {
  const message = candidate('message', 'throw Error("Cannot lift the anchor while moored: $knots")');

  it('is the passage that holds four of its words in a row, whatever their case and whatever stands between them', () => {
    const all = [...others('Error: an anchor, moored'), message];
    assert.deepEqual(ids('Error: cannot LIFT the anchor, 12', all), ['message']);
    assert.deepEqual(ids('Error: cannot lift an anchor while it is moored', all), []);
  });

  it('is not what many passages hold, nor function words, nor numbers, nor the parts of one name', () => {
    const name = 'org.dock.pier.crane.Hook';
    assert.deepEqual(ids(`at ${name}.lift`, [candidate('one', `import ${name};`), ...others('lift')]), []);
    const frame = 'java.lang.IllegalStateException: at org.dock';
    assert.deepEqual(ids(`${frame} 1 2 3 4 5`, [candidate('one', '1 2 3 4 5'), ...others(frame)]), []);
    assert.deepEqual(ids('what is it that we should do', [message, candidate('one', 'is it that we should do')]), []); // prettier-ignore
  });

  it('is each of several passages that hold as much, and of long and short runs the long one', () => {
    const copy = candidate('copy', message.chunk.text);
    const part = candidate('part', 'lift the anchor while');
    const all = [part, copy, ...others('Error'), message];
    assert.deepEqual(ids('cannot lift the anchor while moored', all), ['copy', 'message']);
  });

  it('comes first and is as good as a name, but after what is asked for by its name', () => {
    const [a, b] = [candidate('a', ''), candidate('b', '')];
    const order = (candidates: Candidate[], quoted: string[]) =>
      quotedFirst(candidates, new Set(quoted)).map(({ chunk, score, asked }) => [chunk.id, score, asked]);
    assert.deepEqual(order([a, b], ['b']), [['b', 1, true], ['a', 0.5, undefined]]); // prettier-ignore
    assert.deepEqual(order([{ ...a, asked: true }, b], ['b']), [['a', 0.5, true], ['b', 0.5, undefined]]); // prettier-ignore
  });
});

describe('a pasted message, searched', () => {
  let temp: TempEngine;
  const call = localCall();
  const QUESTION = 'java.net.ProtocolException: Too many follow-up requests: 21';
  before(async () => {
    temp = await tempEngine();
    const add = (source: string, text: string) =>
      temp.engine.ingest.text(call, { text, source, collection: 'net' });
    for (let at = 0; at < 24; at += 1)
      await add(
        `page-${at}.md`,
        `# ProtocolException ${at}\n\nA java.net.ProtocolException, number 21 of ${at}: java.net requests of a protocol, too.`,
      );
    await add('limits.md', '# Limits\n\nThe client gives up with `Too many follow-up requests: $count` when servers send it round in circles, whatever else it was told to do about certificates, proxies, caches and cookies.'); // prettier-ignore
  });
  after(() => temp.close());

  it('is found first by every search, and answered', async () => {
    const { search, docs, graph } = temp.engine;
    for (const limit of [1, 10]) {
      const request = { query: QUESTION, collections: ['net'], limit };
      for (const more of [{}, { rerank: true, relations: true }]) {
        const { hits, verdict } = await search.run(call, { ...request, ...more });
        assert.deepEqual([hits[0]!.path, verdict], ['limits.md', 'answered']);
      }
    }
    const found = await docs.find(call, { query: QUESTION, source: 'net' });
    assert.deepEqual([found.hits[0]!.alias, found.verdict], ['net/limits.md', 'answered']);
    const related = await graph.search(call, {
      query: QUESTION,
      mode: 'hybrid',
      limit: 3,
      collection: 'net',
    });
    assert.deepEqual([related.results[0]!.path, related.verdict], ['limits.md', 'answered']);
  });
});
