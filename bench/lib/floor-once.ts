// Questions to bare FTS5 in a fresh process: `floor-once.ts <file>`, the questions as JSON on stdin. Prints the CPU
// milliseconds of one; the first, which opens the file, is asked before.

import { readFileSync } from 'node:fs';
import { openFloor } from './floor.ts';
import { cost } from './measure.ts';

const questions = JSON.parse(readFileSync(0, 'utf8')) as string[];
const floor = openFloor(process.argv[2]!);
floor.or('hello');
const { cpuMs } = await cost(() => questions.forEach((question) => floor.or(question)));
floor.close();
console.log(cpuMs / questions.length);
