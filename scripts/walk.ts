// npm run walk: a newcomer's first minute, step by step with times. Clones this repository (what is committed) into an
// empty folder, runs `npm start` in an empty home with an empty npm cache, ingests two files of the user's own and asks
// about them with the official MCP client over HTTP. Fails unless the first hit cites the lines that answer. The second
// question shares no word with those lines: what the verdict says of it is printed, not asserted.

import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freePort } from '../test/support/port.ts';

const root = resolve(import.meta.dirname, '..');
const QUESTIONS = ['how do I roll back a deployment', 'how do I undo a bad release'];
const ANSWER = /^knowledge\/deploy\.md:5-7@[0-9a-f]{8}$/;
const FILES = {
  'deploy.md':
    '# Deploying\n\nEvery merge is deployed to staging.\n\n## Rolling back\n\nRun `ship rollback --to <version>`. Tell #ops first.\n',
  'on-call.md':
    '# On call\n\nThe rota changes on Mondays at ten.\n\n## Escalation\n\nA page that nobody answers for ten minutes goes to the lead.\n',
};

const began = performance.now();
let last = began;
function step(what: string): void {
  const now = performance.now();
  console.log(`${seconds(now - last)}  ${what}`);
  last = now;
}
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(6)} s`;

/** Each line of progress that `npm start` prints closes the step before it; its key closes the last. */
function untilKeyIsShown(server: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  let doing = 'npm start';
  createInterface({ input: server.stderr }).on('line', (line) => {
    if (!line.includes('…')) return;
    step(doing);
    doing = `  ${line}`;
  });
  return new Promise((done, failed) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      if (!line.startsWith('Your key:')) return;
      step(doing);
      done();
    });
    server.once('exit', (code) => failed(new Error(`npm start ended with ${code}`)));
  });
}

interface Answer {
  results: { citation: string }[];
  metadata: { verdict: string };
}

/** The citation of the first hit, for each question. */
async function ask(url: string, key: string): Promise<string[]> {
  const client = new Client({ name: 'walk', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  step('the MCP client connected');
  const first: string[] = [];
  for (const query of QUESTIONS) {
    const answer = await client.callTool({ name: 'vai_query', arguments: { query } });
    const { results, metadata } = answer.structuredContent as Answer;
    first.push(results[0]?.citation ?? '');
    step(`vai_query "${query}": ${metadata.verdict}, first of ${results.length}: ${first.at(-1)}`);
  }
  await client.close();
  return first;
}

const folder = mkdtempSync(join(tmpdir(), 'vai-walk-'));
const clone = join(folder, 'vai');
const home = join(folder, 'home');
const handbook = join(folder, 'handbook');
const port = await freePort();
const env = {
  ...process.env,
  HOME: home,
  VAI_HOME: join(home, '.vai'),
  PORT: String(port),
  npm_config_cache: join(home, '.npm'),
};
let server: ChildProcessByStdio<null, Readable, Readable> | undefined;
try {
  mkdirSync(home);
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
  step('git clone');
  // A process group of its own: npm, its shell and the server end together.
  server = spawn('npm', ['start', '--silent'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  await untilKeyIsShown(server);
  mkdirSync(handbook);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(handbook, name), text);
  execFileSync(process.execPath, [join(clone, 'bin/vai.js'), 'ingest', handbook], { env, stdio: 'ignore' });
  step('vai ingest handbook');
  const { key } = JSON.parse(readFileSync(join(home, '.vai', 'npm-start-key'), 'utf8')) as { key: string };
  const cited = await ask(`http://127.0.0.1:${port}/mcp`, key);
  console.log(`${seconds(last - began)}  in all`);
  if (!cited.every((citation) => ANSWER.test(citation))) {
    console.log('A first hit does not cite the lines that answer.');
    process.exitCode = 1;
  }
} finally {
  if (server?.pid !== undefined && server.exitCode === null) {
    const ended = new Promise((done) => server!.once('close', done));
    process.kill(-server.pid, 'SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
