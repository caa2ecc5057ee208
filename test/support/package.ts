// The package that the end-to-end tests run: packed and installed into an empty folder, once for all files under
// `npm run test:package`, once for each file that is run by itself.

import { rmSync } from 'node:fs';
import { join } from 'node:path';

export type CommandName = 'vai' | 'blz' | 'flowrag-mcp';

/** The folder that holds `node_modules/vai-knowledge`. */
export const installed: string = process.env['VAI_TEST_PACKAGE'] ?? (await installHere());

/** The Node that runs the package; `npm run test:package -- --node PATH` names another. */
export const NODE: string = process.env['VAI_TEST_NODE'] ?? process.execPath;

/** The file a command starts. */
export function script(command: CommandName): string {
  return join(installed, 'node_modules/vai-knowledge/bin', `${command}.js`);
}

async function installHere(): Promise<string> {
  const { installPackage } = await import('../../scripts/install-package.js');
  const folder = await installPackage();
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
