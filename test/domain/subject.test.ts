import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageKey, pageNames, subjectsOf } from '../../src/domain/subject.ts';

/** Whether the question is taken to ask about the thing, however it is spelled. */
const asksAbout = (question: string, thing: string): boolean =>
  subjectsOf(question).some(({ key }) => key === pageKey(thing));

describe('what a question is about', () => {
  for (const question of [
    'Pod',
    'pods',
    'what is a Pod',
    'What are pods?',
    "what's a pod",
    'explain the Pod',
    'tell me about pods',
    'pod definition',
    'definition of pod',
    'what does Pod mean',
    'what exactly is a Pod and why would I want it',
    'how does a pod work',
    'Can you explain what a `Pod` is, please?',
    'give me an overview of pods',
    'when should I use a pod',
  ])
    it(question, () => assert.ok(asksAbout(question, 'Pod')));

  it('the whole question comes first, then the longer part before the shorter', () => {
    const texts = subjectsOf('how does use client work').map(({ text }) => text);
    assert.equal(texts[0], 'how does use client work');
    assert.deepEqual(
      texts,
      texts.toSorted((a, b) => b.split(' ').length - a.split(' ').length),
    );
    assert.ok(texts.includes('use client'));
    assert.equal(texts.at(-1), 'client');
  });

  it('words inside are kept, so that a thing is not taken for a part of it', () => {
    assert.ok(!asksAbout('what is the lifecycle of a pod', 'pod'));
    assert.ok(!asksAbout('how do I delete a pod', 'pod'));
    assert.ok(asksAbout('what is quality of service', 'Quality of Service'));
  });

  it('spelling does not matter: case, hyphens, joined words, marks, plural of the last word', () => {
    for (const other of ['daemon set', 'Daemon-Sets', '`DaemonSet`', 'daemonsets'])
      assert.equal(pageKey(other), pageKey('DaemonSet'), other);
    assert.notEqual(pageKey('C'), pageKey('C++'));
    assert.notEqual(pageKey('operations'), pageKey('operators'));
  });

  it('a question of asking words alone asks about its last word, and nothing about nothing', () => {
    assert.equal(subjectsOf('what is use').at(-1)?.text, 'use');
    assert.deepEqual([subjectsOf(''), subjectsOf('?! …')], [[], []]);
  });

  it('long texts are no question for a page', () => {
    assert.deepEqual(subjectsOf('word '.repeat(25)), []);
    assert.deepEqual(subjectsOf('a'.repeat(100_000)).map(({ key }) => key.length), [200]); // prettier-ignore
  });
});

describe('the names of a page', () => {
  const names = (title: string, ...expected: string[]) =>
    it(title, () => assert.deepEqual(pageNames(title), expected.map(pageKey)));
  names('Pods', 'pod');
  names('About cgroup v2', 'about cgroup v2', 'cgroup v2');
  names('What is a Pod?', 'what is a pod', 'pod');
  names(
    'Container Runtime Interface (CRI)',
    'Container Runtime Interface CRI',
    'container runtime interface',
    'CRI',
  );
  names('getaddrinfo(3) and others', 'getaddrinfo 3 and others');
  names('How it works', 'how it works');
  names('…');
});
