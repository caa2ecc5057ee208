// npm start: from a fresh clone to a running knowledge server, in plain JavaScript for Node 20. Checks the port, installs
// what is missing, builds, indexes this project's own docs/ the first time, makes a key, and serves. The key is kept in
// a file only its owner can read, so that the second start can show it again.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installMissing, node, root } from './install.js';

const COLLECTION = 'vai-docs';
const vai = join(root, 'dist', 'vai.js');
const port = process.env.PORT || '3100';
const host = process.env.HOST || '127.0.0.1';
const home = process.env.VAI_HOME || join(homedir(), '.vai');
const keyFile = join(home, 'npm-start-key');

await checkPort();
installMissing();
if (buildIsOld()) run('Building…', [join(root, 'scripts', 'build.js')]);
if (!hasCollection()) indexDocs();
const key = rememberedKey() ?? makeKey();
serve();

function run(what, args) {
  process.stderr.write(`${what}\n`);
  const done = spawnSync(node, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function indexDocs() {
  process.stderr.write(`Indexing docs/ as the collection ${COLLECTION}…\n`);
  const done = ask(['ingest', join(root, 'docs'), '--collection', COLLECTION, '--only-when-named', '--json']);
  process.stderr.write(
    `${done.totals.documents} documents, ${done.totals.chunks} chunks in ${done.durationMs} ms.\n`,
  );
}

/** Answers of our own commands, as JSON. A page that could not be ingested (3, with a report) is no reason not to start. */
function ask(args) {
  const done = spawnSync(node, [vai, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  const isReport = args[0] === 'ingest' && done.status === 3 && done.stdout !== '';
  if (done.status !== 0 && !isReport) process.exit(done.status ?? 1);
  return JSON.parse(done.stdout);
}

function buildIsOld() {
  if (!existsSync(vai)) return true;
  const built = statSync(vai).mtimeMs;
  const newer = (folder) =>
    readdirSync(folder, { withFileTypes: true }).some((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newer(path) : statSync(path).mtimeMs > built;
    });
  return newer(join(root, 'src')) || statSync(join(root, 'package.json')).mtimeMs > built;
}

/** Marked, so that the manual does not answer questions about the user's own documents. */
function hasCollection() {
  const { collections } = ask(['collections', '--json']);
  return collections.some(({ name, onlyNamed }) => name === COLLECTION && onlyNamed);
}

/** The key of an earlier start, while it is still valid; or the one the environment sets. */
function rememberedKey() {
  if (process.env.VAI_MCP_SERVER_KEY) return process.env.VAI_MCP_SERVER_KEY;
  if (!existsSync(keyFile)) return undefined;
  const { id, key } = JSON.parse(readFileSync(keyFile, 'utf8'));
  const stored = ask(['mcp-server', 'list-keys', '--json']).find((one) => one.id === id);
  return stored && !stored.expired ? key : undefined;
}

function makeKey() {
  const made = ask([
    'mcp-server',
    'generate-key',
    '--name',
    'npm-start',
    '--scopes',
    'read,write,admin',
    '--json',
  ]);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(keyFile, JSON.stringify({ id: made.id, key: made.key }), { mode: 0o600 });
  return made.key;
}

/** Before anything is promised: whether the port is free. */
async function checkPort() {
  const error = await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(Number(port), host, () => probe.close(() => resolve(undefined)));
  });
  if (!error) return;
  const running = await fetch(`http://${reachable()}:${port}/health`).then(
    (answer) => answer.ok,
    () => false,
  );
  process.stderr.write(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is in use${running ? ' by a vai server that already runs' : ''}. Use another one: PORT=3101 npm start\n`
      : `Port ${port} of ${host} cannot be used (${error.code}). Use another one: PORT=3101 npm start\n`,
  );
  process.exit(1);
}

function reachable() {
  return host === '0.0.0.0' ? '127.0.0.1' : host;
}

function serve() {
  const child = spawn(node, [vai, 'mcp-server', '--transport', 'http', '--port', port, '--host', host], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 0));
  waitUntilReady().then(explain, () => child.kill());
}

async function waitUntilReady() {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      const answer = await fetch(`http://${reachable()}:${port}/health`);
      if (answer.ok) return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('not ready');
}

/** Signs the browser in without a key to paste; a key from the environment has no link. */
function signInLink() {
  if (process.env.VAI_MCP_SERVER_KEY) return undefined;
  return ask(['mcp-server', 'sign-in-link', '--url', `http://${host}:${port}`, '--json']).url;
}

function explain() {
  const url = `http://${host}:${port}/mcp`;
  const link = signInLink();
  const remote = {
    mcpServers: { vai: { type: 'http', url, headers: { Authorization: `Bearer ${key}` } } },
  };
  const local = {
    mcpServers: { vai: { command: node, args: [vai, 'mcp-server'], env: { VAI_HOME: home } } },
  };
  process.stdout.write(
    [
      '',
      `The web page: ${link ?? `http://${host}:${port}/`}`,
      ...(link ? ['              (signs this browser in; works once, within ten minutes)'] : []),
      `Your key:     ${key}`,
      '',
      'A client over HTTP (Claude Code, Cursor, …):',
      JSON.stringify(remote, null, 2),
      '',
      'The same knowledge over stdio, without a server:',
      JSON.stringify(local, null, 2),
      '',
      'To use the commands in any folder, run `npm link` here once. Then, for example:',
      '  vai ingest ~/notes',
      '  vai query "what did we decide about backups"',
      '',
      'Press Ctrl-C to stop the server. Run npm start to see this again.',
      '',
    ].join('\n'),
  );
}
