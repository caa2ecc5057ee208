// The `blz` command.

import { buildBlz } from '../blz/program.ts';
import { runInProcess } from '../process.ts';

await runInProcess({ name: 'blz', uriChoosesStore: false, build: buildBlz });
