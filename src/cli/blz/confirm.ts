// A question before something is taken away. Where nobody can answer, the answer is no.

import { createInterface } from 'node:readline/promises';
import { usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

export async function confirm(frame: Frame, what: string): Promise<void> {
  if (!frame.terminal.interactive || !frame.streams.stdin.isTTY)
    throw usage('Removing asks first, and nobody is there to answer.', 'Add --yes to remove without asking.');
  const prompt = createInterface({ input: frame.streams.stdin, output: process.stderr });
  const answer = await prompt.question(`Remove ${printable(what)}? [y/N] `).finally(() => prompt.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw usage('Nothing was removed.');
}
