// npm run test:docs: runs every ```bash fence of README.md and docs/*.md as a reader sees them, page by page, each page in
// a home and a working folder of its own with the package's commands first on the PATH. Each home is one in which
// `npm start` ran once, as a reader's is who began with the README: what it made must not change what a page promises.
// With --together all pages share one home and one folder, in the order they are named in: what one page made must not
// change what another promises either.
//
// What a fence may say after `bash`:
//   (nothing)            run it; it must end with status 0
//   background PORT      start it, wait until it answers on that port, go on; it is ended with the page
//   fails                run it; it must end with another status
//   mongodb              run it with MONGODB_URI naming the tests' stand-in of MongoDB, one for the page
//   skip: reason         not run, and said so at the end: what needs Docker, a cloud account, a real key
//
// A fence of another language is a file where the visible line above it says so: "Save this as `handbook/deploy.md`:".
// Output shown under a `$ command` must be what the command prints; only durations may differ.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import MarkdownIt from 'markdown-it';
import { startMongod, type RunningMongod } from '../test/support/mongod/start.ts';
import { freePort } from '../test/support/port.ts';

const root = resolve(import.meta.dirname, '..');

interface Fence {
  page: string;
  line: number;
  kind: 'run' | 'background' | 'fails' | 'mongodb' | 'skip' | 'file';
  detail: string;
  text: string;
}

/** What a reader sees: the page is rendered, so a fence inside a comment is none and a file has the name that is shown. */
export function fencesOf(page: string, markdown: string): Fence[] {
  let above = '';
  return new MarkdownIt().parse(markdown, {}).flatMap((token): Fence[] => {
    if (token.type === 'inline') above = token.content;
    if (token.type !== 'fence') return [];
    const [language, ...words] = token.info.trim().split(/\s+/);
    const file = language === 'bash' ? undefined : savedAs(above);
    above = '';
    if (language !== 'bash' && file === undefined) return [];
    const kind = file === undefined ? kindOf(words[0] ?? '') : 'file';
    const rest = words.slice(1).join(' ');
    const detail = file ?? rest;
    const text = token.content.replace(/\n$/, '');
    return [{ page, line: token.map![0] + 1, kind, detail, text }];
  });
}

function kindOf(word: string): Fence['kind'] {
  if (word === 'background' || word === 'fails' || word === 'mongodb') return word;
  return word.startsWith('skip') ? 'skip' : 'run';
}

/** The name a reader sees: the end of the text above a fence, "Save this as `name`:". */
function savedAs(above: string): string | undefined {
  return /\b[Ss]ave (?:this|it|them|these) as `([^`]+)`:$/.exec(above)?.[1];
}

/** Lines of output a session shows; `…` stands for anything. */
export function promisedBy(text: string): string[] {
  const lines = text.split('\n');
  if (!lines.some((line) => line.startsWith('$ '))) return [];
  return lines.filter((line) => !line.startsWith('$ ') && line.trim() !== '' && line.trim() !== '…');
}

/** What may differ between two runs of the same command. */
const settled = (text: string): string => text.replaceAll(/[\d.]+ ?(ms|s)\b/g, 'N $1');

/** `$ command` lines with output between them: only the commands are run. */
export function commandsOf(text: string): string {
  const prompted = text.split('\n').some((line) => line.startsWith('$ '));
  return prompted
    ? text
        .split('\n')
        .filter((line) => line.startsWith('$ '))
        .map((line) => line.slice(2))
        .join('\n')
    : text;
}

/** Runs `npm start` in an empty home until it serves, and ends it. Returns what it left: the manual's collection, a key. */
async function startOnce(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'vai-docs-start-'));
  // The rest of the environment stays: where the lockfile is newer than what is installed, it installs from the registry.
  const env = { ...process.env, HOME: home, VAI_HOME: join(home, '.vai'), PORT: String(await freePort()) };
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  let ready = false;
  for await (const line of createInterface({ input: child.stdout })) {
    // The last thing it prints; from then on it only serves.
    if (!line.startsWith('Press Ctrl-C')) continue;
    ready = true;
    process.kill(-child.pid!, 'SIGTERM');
  }
  await ended;
  if (!ready) throw new Error('npm start ended before it served.');
  return home;
}

interface Place {
  folder: string;
  env: NodeJS.ProcessEnv;
}

async function sandbox(started: string): Promise<Place> {
  const { NODE, script } = await import('../test/support/package.ts');
  const folder = mkdtempSync(join(tmpdir(), 'vai-docs-'));
  cpSync(join(started, '.vai'), join(folder, '.vai'), { recursive: true });
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  mkdirSync(join(folder, 'work'));
  for (const name of ['vai', 'blz', 'flowrag-mcp'] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${NODE}" "${script(name)}" "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env: NodeJS.ProcessEnv = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: folder,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    VAI_REPO: root,
  };
  return { folder, env };
}

async function answers(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 150; attempt++) {
    try {
      await fetch(`http://127.0.0.1:${port}/health`);
      return true;
    } catch {
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  return false;
}

interface Outcome {
  passed: number;
  failed: number;
  skipped: Fence[];
}

async function inPlace(started: string, work: (place: Place) => Promise<void>): Promise<void> {
  const place = await sandbox(started);
  try {
    await work(place);
  } finally {
    rmSync(place.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function runPage(page: string, place: Place, outcome: Outcome): Promise<void> {
  const fences = fencesOf(page, readFileSync(join(root, page), 'utf8'));
  const { folder } = place;
  const env = { ...place.env };
  const background: ChildProcess[] = [];
  let mongod: RunningMongod | undefined;
  const variables = join(folder, '.env-kept');
  writeFileSync(variables, '');
  try {
    for (const fence of fences) {
      const where = `${fence.page}:${fence.line}`;
      if (fence.kind === 'file') {
        mkdirSync(dirname(join(folder, 'work', fence.detail)), { recursive: true });
        writeFileSync(join(folder, 'work', fence.detail), `${fence.text}\n`);
        continue;
      }
      if (fence.kind === 'skip') {
        outcome.skipped.push(fence);
        continue;
      }
      if (fence.kind === 'background') {
        background.push(
          spawn('bash', ['-c', `source ${variables}; ${commandsOf(fence.text)}`], {
            cwd: join(folder, 'work'),
            env,
            stdio: 'ignore',
            detached: true,
          }),
        );
        const ready = await answers(Number(fence.detail));
        console.log(`${ready ? 'ok  ' : 'FAIL'} ${where} (background)`);
        outcome[ready ? 'passed' : 'failed'] += 1;
        continue;
      }
      if (fence.kind === 'mongodb') {
        mongod ??= await startMongod();
        env['MONGODB_URI'] = mongod.uri;
      }
      // Variables exported by one fence are there in the next, as in the reader's own shell.
      const script = `set -e -o pipefail\nset -a\nsource ${variables}\n${commandsOf(fence.text)}\nexport -p | grep -v ' _=' > ${variables}\n`;
      const done = spawnSync('bash', ['-c', script], {
        cwd: join(folder, 'work'),
        env,
        encoding: 'utf8',
        timeout: 120_000,
        input: '',
      });
      const printed = settled(`${done.stdout}${done.stderr}`);
      const missing = promisedBy(fence.text).filter((line) => !printed.includes(settled(line)));
      const good = (fence.kind === 'fails' ? done.status !== 0 : done.status === 0) && missing.length === 0;
      console.log(`${good ? 'ok  ' : 'FAIL'} ${where}`);
      if (!good)
        console.log(
          indent(
            `${commandsOf(fence.text)}\n${missing.map((line) => `not printed: ${line}\n`).join('')}--- status ${done.status}\n${done.stdout.slice(-1500)}${done.stderr.slice(-1500)}`,
          ),
        );
      outcome[good ? 'passed' : 'failed'] += 1;
    }
  } finally {
    // A server writes to its home until it has ended, and would leave that behind.
    for (const child of background) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      process.kill(-child.pid!, 'SIGTERM');
      await ended;
    }
    await mongod?.stop();
  }
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

if (process.argv[1] === import.meta.filename) {
  const together = process.argv.includes('--together');
  const named = process.argv.slice(2).filter((word) => word !== '--together');
  const pages = named.length
    ? named.map((page) => relative(root, resolve(page)))
    : [
        'README.md',
        ...readdirSync(join(root, 'docs'))
          .filter((name) => name.endsWith('.md'))
          .map((name) => join('docs', name))
          .sort(),
      ];
  const outcome: Outcome = { passed: 0, failed: 0, skipped: [] };
  const started = await startOnce();
  try {
    const inTurn = async (place: Place, some: string[]): Promise<void> => {
      for (const page of some) await runPage(page, place, outcome);
    };
    if (together) await inPlace(started, (place) => inTurn(place, pages));
    else for (const page of pages) await inPlace(started, (place) => inTurn(place, [page]));
  } finally {
    rmSync(started, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  for (const fence of outcome.skipped) console.log(`not run: ${fence.page}:${fence.line} ${fence.detail}`);
  console.log(`\n${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped.length} skipped`);
  process.exit(outcome.failed > 0 ? 1 : 0);
}
