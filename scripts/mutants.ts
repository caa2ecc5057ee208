// npm run mutants: changes one operator, condition, constant or call at a time, runs the tests that are about that file,
// and prints the changes that no test noticed. Where is drawn by `--seed` from the code that guards, ranks and writes.
//
//   npm run mutants -- --seed 2 --places 50
//
// Each change is made in a copy of the checkout, so that nothing is left behind and work can go on beside it.

import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

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
const TEST_MS = 120_000;
/** Test files for one change: the file's own first, then those that reach it in the fewest steps. */
const MAX_TESTS = 6;

interface Place {
  file: string;
  line: number;
  start: number;
  end: number;
  /** What stands there instead. */
  text: string;
}

const OPERATORS: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
};

/** Every change that could be made in a file. */
function placesIn(file: string): Place[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const places: Place[] = [];
  const add = (node: ts.Node, text: string): void => {
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    places.push({ file, line: line + 1, start, end: node.getEnd(), text });
  };
  const look = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS[node.operatorToken.kind];
      const joins = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      if (other && !(joins && other === '-')) add(node.operatorToken, other);
    }
    if (ts.isIfStatement(node)) add(node.expression, 'false');
    if (ts.isConditionalExpression(node)) add(node.condition, 'true');
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, `(${node.operand.getText(source)})`);
    if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent)) add(node, `(${node.text} + 1)`);
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    // A call whose answer nobody looks at is made for its effect: it is left out.
    if (ts.isExpressionStatement(node)) {
      const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
      if (ts.isCallExpression(inner)) add(node, ';');
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return places;
}

/** A small generator of numbers from a seed (mulberry32), the same everywhere. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw(all: readonly Place[], count: number, seed: number): Place[] {
  const next = numbers(seed);
  const left = [...all];
  const drawn: Place[] = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(next() * left.length), 1));
  return drawn;
}

/** For each source file the test files that import it, with the number of steps it takes. */
function testsByFile(): Map<string, { test: string; steps: number }[]> {
  const imports = new Map<string, string[]>();
  const importsOf = (file: string): string[] => {
    let found = imports.get(file);
    if (!found) {
      const text = readFileSync(join(root, file), 'utf8');
      found = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)].map(([, path]) =>
        relative(root, resolve(root, dirname(file), path!)),
      );
      imports.set(file, (found = found.filter((one) => existsSync(join(root, one)))));
    }
    return found;
  };
  const tests = new Map<string, { test: string; steps: number }[]>();
  for (const test of globSync('test/!(e2e|faults|hostile|web)/**/*.test.ts', { cwd: root })) {
    const steps = new Map([[test, 0]]);
    for (const [file, distance] of steps)
      for (const next of importsOf(file)) if (!steps.has(next)) steps.set(next, distance + 1);
    for (const [file, distance] of steps)
      if (file.startsWith('src/')) tests.set(file, [...(tests.get(file) ?? []), { test, steps: distance }]);
  }
  return tests;
}

function relatedTests(file: string, tests: ReturnType<typeof testsByFile>): string[] {
  const folder = dirname(file).replace(/^src/, 'test');
  const own = file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts');
  const rank = ({ test, steps }: { test: string; steps: number }): number =>
    test === own ? -2 : dirname(test) === folder ? -1 + steps / 1000 : steps;
  return (tests.get(file) ?? [])
    .toSorted((a, b) => rank(a) - rank(b) || (a.test < b.test ? -1 : 1))
    .slice(0, MAX_TESTS)
    .map(({ test }) => test);
}

function run(folder: string, tests: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    const args = ['--test', '--test-concurrency=2', '--test-reporter=dot', ...tests];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
    // A change that never ends was noticed.
    const late = setTimeout(() => child.kill('SIGKILL'), TEST_MS);
    child.once('exit', (status) => {
      clearTimeout(late);
      done(status === 0);
    });
  });
}

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};

const seed = option('seed', 1);
const all = globSync(AREAS, { cwd: root }).sort().flatMap(placesIn);
const drawn = draw(all, option('places', 200), seed);
const tests = testsByFile();
const copy = mkdtempSync(join(tmpdir(), 'vai-mutants-'));
const survivors: string[] = [];
let killed = 0;
try {
  for (const name of ['src', 'test', 'scripts', 'docs', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, line, start, end, text } of drawn) {
    const original = readFileSync(join(root, file), 'utf8');
    const related = relatedTests(file, tests);
    writeFileSync(join(copy, file), original.slice(0, start) + text + original.slice(end));
    const survived = related.length === 0 || (await run(copy, related));
    writeFileSync(join(copy, file), original);
    const what = `${file}:${line}  ${original.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 80)}  →  ${text}`;
    if (survived) survivors.push(what);
    else killed += 1;
    console.log(`${survived ? 'SURVIVED' : 'killed  '}  ${what}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
const share = Math.round((100 * killed) / drawn.length);
console.log(
  `\nSeed ${seed}: ${killed} of ${drawn.length} killed (${share} %), drawn from ${all.length} places.`,
);
for (const survivor of survivors) console.log(`  ${survivor}`);
