// A worker program that does what a text tells it, for tests of limits: sent as an HTML page, answered with its title.
// Asked for relations, it tells how many bytes came of what is known of the corpus.

import { closeSync, openSync } from 'node:fs';
import { pack, type Answer, type Sent } from '../../src/worker/protocol.ts';
import type { Input } from '../../src/worker/tasks.ts';

process.on('disconnect', () => process.exit());
process.on('message', (batch: Sent[]) => {
  process.send!(
    batch.map(({ name, input }) =>
      name === 'extract' ? received(input as Input<'extract'>) : answer(input as string),
    ),
  );
  // Waits, once the answer is sent, until the test opens the pipe.
  for (const { input } of batch)
    if (typeof input === 'string' && input.startsWith('meet ')) closeSync(openSync(input.slice(5), 'r'));
});

function received({ knowledge }: Input<'extract'>): Answer {
  const inputTokens = knowledge?.bytes?.length ?? 0;
  return pack('extract', { entities: [], relations: [], inputTokens, outputTokens: 0 });
}

function answer(text: string): Answer {
  if (text === 'forever') for (;;);
  if (text === 'crash') process.abort();
  return pack('page', { title: `${text} by ${process.pid}`, text, links: [], keep: true });
}
