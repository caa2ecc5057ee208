import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mentionKeys, TOPIC } from '../../../../src/engine/graph/mentions/mentions.ts';

const has = (text: string, ...keys: string[]) => {
  const found = mentionKeys(text);
  for (const key of keys) assert.ok(found.includes(key), `${key} in ${found.join(' ')}`);
};
const lacks = (text: string, ...keys: string[]) => {
  const found = mentionKeys(text);
  for (const key of keys) assert.ok(!found.includes(key), `${key} not in ${found.join(' ')}`);
};

test('names of several words, with connectors and initials', () => {
  has('He studied at the University of the Arts with J. K. Rowling.', 'universityoftheart', 'jkrowling');
  has('Then Vincent van Gogh moved to New York.', 'vincentvangogh', 'newyork');
  has('The mission was Apollo 11, not Apollo 12.', 'apollo11', 'apollo12');
});

test('a word that only opens a sentence is no name', () => {
  lacks('Create a file. Then create another.', 'create');
  lacks('However, it works. The rest is the same.', 'however', 'the');
  lacks('In 2011 it moved.', 'in2011', 'in');
});

test('a lone opener counts when the text never writes it small', () => {
  has('Honolulu is on Oahu.', 'honolulu', 'oahu');
});

test('possessives end a name', () => {
  const keys = mentionKeys("We met Anna's Teacher and the Smiths' dog.");
  assert.ok(keys.includes('anna'));
  assert.ok(!keys.includes('annasteacher'));
});

test('identifiers, inline code, links and anchors', () => {
  has('It calls `orders-api` and fooBar from snake_name.', 'ordersapi', 'foobar', 'snakename');
  has('See [Service](/docs/concepts/service/#defining-a-service).', 'service', 'definingaservice');
  has('See https://example.com/guides/retry-policy.html today.', 'retrypolicy');
  has('`fetchAll(url)` returns `NetworkPolicies`.', 'fetchall', 'networkpolicy');
});

test('fences name identifiers only', () => {
  const keys = mentionKeys(
    'Text.\n\n```ts\n// Hello World\nconst store = new OrdersStore();\n```\nAfter Paris.',
  );
  assert.ok(keys.includes('ordersstore'));
  assert.ok(keys.includes('paris'));
  assert.ok(!keys.includes('helloworld'));
});

test('names in code have a change of case or an underscore', () => {
  const text = 'const maxPoolSize = HTTPServer(read_file, value, ABC, MAX_SIZE, _x, URLs);';
  const keys = mentionKeys(`\`\`\`\n${text}\n\`\`\``);
  assert.deepEqual(keys, ['maxpoolsize', 'httpserver', 'readfile', 'maxsize', 'url']);
});

test('an opener is no name where it is written small as a word of its own', () => {
  lacks('Pod starts. The pod runs.', 'pod');
  for (const text of ['Pod. See podman.', 'Pod. A tripod.', 'Pod. It is per-pod.', 'Pod. It is pod.name.'])
    has(text, 'pod');
});

test('the own heading is a topic, the others are mentions', () => {
  const keys = mentionKeys('Text.', ['Networking', 'Services (beta)']);
  assert.ok(keys.includes('networking'));
  assert.ok(!keys.includes(`${TOPIC}networking`));
  assert.ok(keys.includes(`${TOPIC}service`));
});

test('one spelling per name: case, plural, spacing, camelCase', () => {
  const one = new Set(
    ['the Auth Service runs', 'see AuthService', 'see `auth-services`', 'the Auth Services run'].map(
      (text) => mentionKeys(text)[0],
    ),
  );
  assert.deepEqual([...one], ['authservice']);
});

test('any text is legal input, keys are unique, bounded and stable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const keys = mentionKeys(text, [text]);
      assert.equal(new Set(keys).size, keys.length);
      assert.ok(keys.length <= 96);
      assert.deepEqual(mentionKeys(text, [text]), keys);
    }),
    { numRuns: 300 },
  );
});

test('long hostile input gives few keys', () => {
  for (const part of ['A ', '[', '`a', 'A.', 'a(b)'])
    assert.ok(mentionKeys(part.repeat(100_000), ['('.repeat(5000)]).length <= 96, part);
});
