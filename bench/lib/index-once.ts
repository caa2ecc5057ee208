// One indexing of a folder in a fresh process, ours or the floor's: `index-once.ts vai|floor <folder> <place>`. Both
// read the files from disk; the start of the process is not counted. Prints the cost as JSON.

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

const [kind, folder, place] = process.argv.slice(2) as [string, string, string];

async function ours(): Promise<Cost> {
  const engine = await openEngine(join(place, 'home'));
  const done = await cost(() =>
    engine.ingest.files(localCall(), { paths: [folder], collection: 'docs', model: 'none' }),
  );
  await engine.close();
  return done;
}

async function floor(): Promise<Cost> {
  const done = await cost(() => buildFloor(join(place, 'floor.db'), markdownFiles(folder)));
  done.value.close();
  return done;
}

const { wallMs, cpuMs } = kind === 'vai' ? await ours() : await floor();
const result: IndexCost = { wallMs, cpuMs, peakMb: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(result));
