// vai explain: a topic, or the list of topics.

import type { Command } from 'commander';
import type { Frame } from '../frame.ts';

export function registerExplain(program: Command, frame: Frame): void {
  program
    .command('explain')
    .description('explain a retrieval concept')
    .argument('[topic]', 'a topic; without one, list them')
    .option('--json', 'print JSON, in the shape of vai_explain')
    .addHelpText('after', '\nExamples:\n  $ vai explain\n  $ vai explain hybrid-search')
    .action((topic: string | undefined, options: { json?: boolean }) => run(frame, topic, options));
}

async function run(frame: Frame, topic: string | undefined, options: { json?: boolean }): Promise<void> {
  // The texts are ours and need no store: no engine is composed for them.
  const { createExplain } = await import('../../engine/explain/explain.ts');
  const explain = createExplain();
  if (topic === undefined) {
    const topics = explain.topics(frame.call());
    if (frame.wantsJson(options)) return frame.printJson({ topics });
    const width = Math.max(...topics.map((entry) => entry.topic.length));
    return frame.print(
      topics.map((entry) => `${frame.terminal.bold(entry.topic.padEnd(width))}  ${entry.summary}`).join('\n'),
    );
  }
  const explanation = explain.topic(frame.call(), topic);
  if (frame.wantsJson(options)) return frame.printJson(explanation);
  const { explanationText } = await import('../../tools/vai/explain.ts');
  frame.print(explanationText(explanation));
}
