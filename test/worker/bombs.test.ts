// Files made to do harm, through the worker as it ships: each is refused within its limits, this process goes on answering,
// and the next file is read.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BLOCK_PROFILE } from '../../src/domain/chunk.ts';
import type { VaiError } from '../../src/domain/errors.ts';
import { createTextWorker } from '../../src/worker/client.ts';
import * as tasks from '../../src/worker/tasks.ts';
import { until } from '../support/wait.ts';
import { pdf } from '../sources/files/fixtures.ts';
import { BOMBS } from './bombs.ts';

const program = new URL('../../src/worker/program.ts', import.meta.url);
const worker = createTextWorker({ here: async () => tasks, program, cpuMs: 4_000 });
const REFUSALS = ['TOO_LARGE', 'TIMEOUT', 'FILE_UNREADABLE'];

describe('a file made to do harm', () => {
  for (const { what, make, harmless } of BOMBS)
    it(what, async () => {
      let turns = 0;
      const began = performance.now();
      const timer = setInterval(() => (turns += 1), 1);
      const read = worker.read({ ...make(), profile: BLOCK_PROFILE }, {});
      const outcome = await read.then(
        ({ read: { text } }) => text,
        (error: VaiError) => error.code,
      );
      clearInterval(timer);
      const took = performance.now() - began;
      if (harmless !== undefined) assert.equal(outcome, harmless);
      else assert.ok(REFUSALS.includes(outcome), outcome.slice(0, 100));
      assert.ok(turns > 0 || took < 20, `this process had no turn in ${took} ms`);
      const next = { name: 'next.pdf', bytes: pdf(['Still here.']), profile: BLOCK_PROFILE };
      // A busy machine may take longer to start the next process than the limit gives it.
      await until(async () => {
        const text = await worker.read(next, {}).then(
          ({ read: again }) => again.text,
          (error: VaiError) => error.code,
        );
        return text !== 'TIMEOUT' && /Still here\./.test(text);
      });
    });
});
