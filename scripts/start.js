// npm start: from a fresh clone to a running knowledge server, in plain JavaScript for Node 20. Installs what is
// missing, builds, indexes this project's own docs/ the first time, makes the first key, and serves.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installMissing, node, root } from './install.js';

const COLLECTION = 'vai-docs';
const vai = join(root, 'dist', 'vai.js');
const port = process.env.PORT || '3100';
const host = process.env.HOST || '127.0.0.1';
const home = process.env.VAI_HOME || join(homedir(), '.vai');

installMissing();
if (buildIsOld()) run('Building…', [join(root, 'scripts', 'build.js')]);
if (!hasCollection()) indexDocs();
const key = hasKey() ? undefined : makeKey();
serve();

function run(what, args) {
  process.stderr.write(`${what}\n`);
  const done = spawnSync(node, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function indexDocs() {
  process.stderr.write(`Indexing docs/ as the collection ${COLLECTION}…\n`);
  const done = ask(['ingest', join(root, 'docs'), '--collection', COLLECTION, '--only-when-named', '--json']);
  process.stderr.write(`${done.added} documents, ${done.chunks} chunks in ${done.timeMs} ms.\n`);
}

/** Answers of our own commands, as JSON. */
function ask(args) {
  const done = spawnSync(node, [vai, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  if (done.status !== 0) process.exit(done.status ?? 1);
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

function hasKey() {
  return Boolean(process.env.VAI_MCP_SERVER_KEY) || ask(['mcp-server', 'list-keys', '--json']).length > 0;
}

function makeKey() {
  return ask(['mcp-server', 'generate-key', '--name', 'first', '--scopes', 'read,write,admin', '--json']).key;
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
      const answer = await fetch(`http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/health`);
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
  const shown = key ?? 'YOUR-KEY';
  const remote = {
    mcpServers: { vai: { type: 'http', url, headers: { Authorization: `Bearer ${shown}` } } },
  };
  const local = {
    mcpServers: { vai: { command: node, args: [vai, 'mcp-server'], env: { VAI_HOME: home } } },
  };
  process.stdout.write(
    [
      '',
      `vai listens on ${url}`,
      link
        ? `Open the page, signed in (once, within ten minutes): ${link}`
        : `The page: http://${host}:${port}/`,
      key
        ? `Your first key, shown once: ${key}`
        : `Keys were made before; make another with: ${node} ${vai} mcp-server generate-key`,
      '',
      'A client over HTTP (Claude Code, Cursor, …):',
      JSON.stringify(remote, null, 2),
      '',
      'The same knowledge over stdio, without a server:',
      JSON.stringify(local, null, 2),
      '',
      `Try it: ${node} ${vai} search "how do citations work"`,
      '',
    ].join('\n'),
  );
}
