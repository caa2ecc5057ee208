// A stdio server of the test toolset as a process of its own. `PRINT=1` makes it print to stdout as a careless
// dependency would; `TASK_HOME` is where it keeps its tasks.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processes } from '../../../src/compose.ts';
import { runUntilStopped, startStdioServer } from '../../../src/server/index.ts';
import { aboutOf } from './about.ts';
import { asEngine, testEngine, testToolset } from './toolset.ts';

const engine = testEngine();
const start = () =>
  startStdioServer({
    about: [aboutOf(testToolset)],
    toolsets: async () => [testToolset],
    version: '9.9.9',
    engine: async () => {
      engine.made += 1;
      if (process.env['PRINT']) {
        console.log('a banner nobody asked for');
        process.stdout.write('and another\n');
      }
      return asEngine(engine);
    },
    readOnly: false,
    verbose: false,
    home: process.env['TASK_HOME'] ?? join(tmpdir(), 'vai-no-tasks'),
    processes,
  });
const status = await runUntilStopped(start, { error: () => {} });
if (process.env['TELL']) process.stderr.write(`closed=${engine.closed} made=${engine.made}\n`);
process.exit(status);
