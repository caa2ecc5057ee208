// One indexing of a folder in a fresh process, ours or the floor's: `index-once.ts words|vectors|floor <folder> <place>`. Both
// read the files from disk and end with the database closed; the start of the process is not counted. Prints the cost
// as JSON.

import { join } from 'node:path';
import { localCall } from '../../src/engine/call.ts';
import { markdownFiles } from './docs.ts';
import { openEngine } from './engine.ts';
import { buildFloor } from './floor.ts';
import { cost, type Cost } from './measure.ts';

export interface IndexCost extends Cost {
  /** Most memory the process held, in megabytes. */
  peakMb: number;
}

const [kind, folder, place] = process.argv.slice(2) as [Kind, string, string];

export type Kind = 'words' | 'vectors' | 'floor';

async function ours(): Promise<Cost> {
  const engine = await openEngine(join(place, 'home'));
  return cost(async () => {
    const model = kind === 'words' ? { model: 'none' } : {};
    await engine.ingest.files(localCall(), { paths: [folder], collection: 'docs', ...model });
    await engine.close();
  });
}

async function floor(): Promise<Cost> {
  return cost(() => buildFloor(join(place, 'floor.db'), markdownFiles(folder)));
}

const { wallMs, cpuMs } = kind === 'floor' ? await floor() : await ours();
const result: IndexCost = { wallMs, cpuMs, peakMb: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(result));
