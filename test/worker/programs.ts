// A worker program that does what a text tells it, for tests of limits: sent as an HTML page, answered with its title.

import { pack, type Answer, type Sent } from '../../src/worker/protocol.ts';

process.on('disconnect', () => process.exit());
process.on('message', (batch: Sent[]) => process.send!(batch.map(({ input }) => answer(input as string))));

function answer(text: string): Answer {
  if (text === 'forever') for (;;);
  if (text === 'crash') process.abort();
  return pack('page', { title: `${text} by ${process.pid}`, text, links: [], keep: true });
}
