// A yes or no on the terminal before something is changed. An input that ends is a no.

import { createInterface } from 'node:readline';
import { usage, type Frame } from './frame.ts';
import { printable } from './terminal.ts';

export async function agreed(frame: Frame, question: string): Promise<boolean> {
  const { stdin } = frame.streams;
  const prompt = createInterface({ input: stdin, output: process.stderr });
  const answer = await new Promise<string | undefined>((resolve) => {
    // Closed without an answer: Ctrl-D, Ctrl-C, a closed terminal.
    prompt.once('close', () => resolve(undefined));
    prompt.question(`${question} [y/N] `, resolve);
  });
  prompt.close();
  if (answer === undefined) frame.note('');
  // A terminal that is still read from would keep the process alive.
  stdin.pause();
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}

/** Whether a person is there to see a question and to answer it. */
export function canAsk(frame: Frame): boolean {
  return frame.terminal.interactive && frame.streams.stdin.isTTY === true;
}

/** Where nobody can answer, nothing is removed. */
export async function confirmRemoval(frame: Frame, what: string): Promise<void> {
  if (!canAsk(frame))
    throw usage(
      'Removing needs a confirmation, and this is not an interactive terminal.',
      'Add --yes to remove without asking.',
    );
  if (!(await agreed(frame, `Remove ${printable(what)}?`))) throw usage('Nothing was removed.');
}
