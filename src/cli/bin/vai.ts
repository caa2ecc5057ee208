// The `vai` command.

import { runInProcess } from '../process.ts';
import { buildVai } from '../vai/program.ts';

await runInProcess({ name: 'vai', uriChoosesStore: true, build: buildVai });
