// Every example of every explanation is a command that exists, with flags it has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildVai } from '../../../src/cli/vai/program.ts';
import { createFrame } from '../../../src/cli/frame.ts';
import { TOPICS } from '../../../src/engine/explain/explain.ts';

const quiet = { write: () => true };
const frame = createFrame(
  {
    name: 'vai',
    env: {},
    cwd: '/',
    uriChoosesStore: true,
    streams: { stdout: quiet, stderr: quiet, stdin: process.stdin },
  },
  new AbortController().signal,
);

test('examples name real commands and flags', async () => {
  const program = await buildVai(frame, []);
  for (const { name, tryIt } of TOPICS) {
    for (const example of tryIt.filter((line) => line.startsWith('vai '))) {
      const words = example.replaceAll(/"[^"]*"|'[^']*'/g, 'TEXT').split(' ');
      const command: Command | undefined = program.commands.find(
        (entry) => entry.name() === words[1] || entry.aliases().includes(words[1]!),
      );
      assert.ok(command, `${name}: ${example}`);
      for (const flag of words.filter((word) => word.startsWith('-') && word !== '--help' && word.length > 1))
        assert.ok(
          command.options.some((option) => option.long === flag || option.short === flag),
          `${name}: ${flag} in ${example}`,
        );
    }
  }
});
