// npm run mutants: changes one operator, condition, constant or call at a time, runs the tests that run that place until one
// notices, and prints the changes that none noticed. Where is drawn by `--seed` from the code that guards, ranks and writes.
//
//   npm run mutants -- --seed 2 --places 50 [--from 20]
//
// Each change is made in a copy of the checkout, so that nothing is left behind and work can go on beside it.

import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { covering, passesIn } from './mutants/covering.ts';
import { draw, placesIn } from './mutants/places.ts';

const root = resolve(import.meta.dirname, '..');

const AREAS = [
  'src/server/http/guards/*.ts',
  'src/server/keys/*.ts',
  'src/server/protocol/access.ts',
  'src/server/limits/*.ts',
  'src/engine/call.ts',
  'src/engine/scope.ts',
  'src/engine/search/*.ts',
  'src/engine/index/*.ts',
  'src/engine/cite/*.ts',
  'src/config/*.ts',
];
const COPIED = [
  'bench',
  'bin',
  'deploy',
  'docs',
  'scripts',
  'src',
  'test',
  'package.json',
  'tsconfig.json',
  'README.md',
];
/** What none of so many test files notices counts as survived. */
const MAX_TESTS = 12;
/** A change that never ends was noticed: after ten times as long as the tests take, and never before a minute. */
const endless = (ms: number): number => Math.max(60_000, 10 * ms);

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};

const seed = option('seed', 1);
const from = option('from', 0);
const areas = globSync(AREAS, { cwd: root }).sort();
const all = areas.flatMap((file) => placesIn(root, file));
const drawn = draw(all, from + option('places', 200), seed).slice(from);
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'vai-mutants-')));
const survivors: string[] = [];
try {
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const tests = await covering(root, copy, areas);
  for (const place of drawn) {
    const { file, line, start, end, text } = place;
    const original = readFileSync(join(copy, file), 'utf8');
    writeFileSync(join(copy, file), original.slice(0, start) + text + original.slice(end));
    let noticed: string | undefined;
    for (const test of tests.of(place).slice(0, MAX_TESTS)) {
      if (await passesIn(copy, test, { limitMs: endless(tests.msOf(test)) })) continue;
      noticed = test;
      break;
    }
    writeFileSync(join(copy, file), original);
    const what = `${file}:${line}  ${original.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 80)}  →  ${text}`;
    if (!noticed) survivors.push(what);
    console.log(noticed ? `killed    ${what}  by ${noticed}` : `SURVIVED  ${what}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const killed = drawn.length - survivors.length;
const share = Math.round((100 * killed) / drawn.length);
console.log(
  `\nSeed ${seed}: ${killed} of ${drawn.length} killed (${share} %), drawn from ${all.length} places.`,
);
for (const survivor of survivors) console.log(`  ${survivor}`);
