// Questions that consist of one name.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { holdersFirst, nameAsked } from '../../../src/engine/search/asked-name.ts';
import type { Candidate } from '../../../src/engine/search/rerank.ts';

describe('the name a question consists of', () => {
  it('comes with what qualifies it', () => {
    assert.deepEqual(nameAsked('what is Sinatra::Base?'), { names: ['Base?', 'Base'], within: 'Sinatra' });
    assert.deepEqual(nameAsked('gson.toJson()'), { names: ['toJson'], within: 'gson' });
    assert.deepEqual(nameAsked('_private_thing'), { names: ['_private_thing'] });
  });

  it('is none where several words are asked about, or parts of a path', () => {
    for (const text of ['how are cookies parsed', 'content-type', 'src/index.ts', ''])
      assert.equal(nameAsked(text), undefined);
  });
});

describe('passages that hold the name as it is written', () => {
  const texts = ['the max of poll intervals in ms', 'max.poll.interval.ms=5', 'log.max.poll.interval.msec'];
  const candidates = texts.map((text, at): Candidate => {
    const chunk = { id: String(at), title: '', headingPath: [], text };
    return { chunk, score: 1 - at / 10 } as unknown as Candidate;
  });
  const found = (question: string): string[] =>
    holdersFirst(candidates, question).map(({ chunk }) => chunk.id);

  it('come first, not those that hold it in a longer name', () => {
    assert.deepEqual(found('max.poll.interval.ms'), ['1', '0', '2']);
    assert.deepEqual(found('what is `MAX.POLL.INTERVAL.MS`?'), ['1', '0', '2']);
  });

  it('are no better than others where a plain word is asked for, or more than a name', () => {
    assert.deepEqual(found('intervals'), ['0', '1', '2']);
    assert.deepEqual(found('raise max.poll.interval.ms'), ['0', '1', '2']);
  });

  it('keep scores in order', () => {
    const scores = holdersFirst(candidates, 'max.poll.interval.ms').map(({ score }) => score);
    assert.deepEqual(scores, [0.9, 0.9, 0.8]);
  });
});
