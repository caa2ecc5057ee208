// The `flowrag-mcp` command.

import { buildFlowrag } from '../flowrag/program.ts';
import { runInProcess } from '../process.ts';

await runInProcess({ name: 'flowrag-mcp', uriChoosesStore: false, build: buildFlowrag });
