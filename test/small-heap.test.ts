import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { cachedDataVersionTag } from 'node:v8';
import { keepHeapSmall, startThread } from '../src/small-heap.ts';

// V8 derives the tag from its flags, among others: equal tags are what lets it take compiled code.
test('threads start under the flags that Node was built with, and ours hold again once all of them run', async () => {
  const own = cachedDataVersionTag();
  keepHeapSmall(30);
  const ours = cachedDataVersionTag();
  assert.notEqual(ours, own);

  const waits = new URL('data:text/javascript,setInterval(() => {}, 1000)');
  const fails = new URL('data:text/javascript,process.exit(1)');
  const threads = [startThread(waits, {}), startThread(fails, {})];
  assert.equal(cachedDataVersionTag(), own);
  await Promise.all([once(threads[0]!, 'online'), once(threads[1]!, 'exit')]);
  assert.equal(cachedDataVersionTag(), ours);

  await threads[0]!.terminate();
  assert.equal(cachedDataVersionTag(), ours);
});
