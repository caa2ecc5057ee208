// Runs on any Node: finds out whether this one is new enough before anything newer is loaded.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export async function start(name) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 16)) return onNewerNode(name);
  keepCompiled();
  resolveQuickly();
  await import(`../dist/${name}.js`);
}

/** In a clone, `npm install` has put a newer Node beside vai: that one runs the command. An installed package has none. */
function onNewerNode(name) {
  const beside = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  const node = [beside, `${beside}.exe`].find(existsSync);
  if (!node) {
    process.stderr.write(`${name} needs Node 22.16 or newer; this is Node ${process.versions.node}.\n`);
    process.exit(1);
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Node keeps what it compiled for the next start, where vai keeps data already: a fifth less CPU. */
function keepCompiled() {
  const home = process.env.VAI_HOME || join(homedir(), '.vai');
  if (existsSync(join(home, 'data'))) module.enableCompileCache(join(home, 'compiled'));
}

/** A hundred modules import each other by file name; Node would look for each on the disk first: a sixth of the CPU. */
function resolveQuickly() {
  const dist = new URL('../dist/', import.meta.url).href;
  module.registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('./') || !context.parentURL?.startsWith(dist))
        return next(specifier, context);
      return { url: new URL(specifier, dist).href, format: 'module', shortCircuit: true };
    },
  });
}
