// npm run build: makes dist/, the three commands as bundled modules that share their chunks, beside the files they read
// at run time.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.js';
import { bundle } from './bundle.js';
import { grammarLicences } from './grammars.js';
import { bundledPackages, sbom } from './sbom.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const commands = {
  vai: 'src/cli/bin/vai.ts',
  blz: 'src/cli/bin/blz.ts',
  'flowrag-mcp': 'src/cli/bin/flowrag-mcp.ts',
  library: 'src/library/index.ts',
};

export async function build(out) {
  mkdirSync(out, { recursive: true });
  const metafile = await bundle(commands, out);
  const web = await buildWeb(join(out, 'web'));
  writeFileSync(join(out, 'library.d.ts'), libraryTypes());
  const packages = bundledPackages({ inputs: { ...metafile.inputs, ...web.inputs } }, root);
  writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), licences(packages));
  writeFileSync(
    join(out, 'sbom.cdx.json'),
    `${JSON.stringify(sbom(packages, root), null, 1)}
`,
  );
}

/** The finished build takes the old one's place in one step: a command that starts meanwhile finds one or the other. */
async function replaceDist() {
  const finished = join(root, 'dist');
  const made = join(root, `.dist-${process.pid}`);
  const old = `${made}-old`;
  await build(made);
  if (existsSync(finished)) renameSync(finished, old);
  renameSync(made, finished);
  rmSync(old, { recursive: true, force: true });
}

/** The types of the library stand in one file without imports, so that they can be shipped as they are. */
function libraryTypes() {
  const types = readFileSync(join(root, 'src/library/types.ts'), 'utf8');
  return `${types}\nexport declare function openKnowledge(options?: OpenOptions): Promise<Knowledge>;\n`;
}

/** The licence texts of every package that was bundled. */
function licences(packages) {
  const parts = ['This package contains code of the following packages.\n'];
  for (const { name, version, license, folder } of packages) {
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'].find((f) =>
      existsSync(join(folder, f)),
    );
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`;
    parts.push(`--- ${name} ${version} (${license}) ---\n${text}\n`);
  }
  return [...parts, ...grammarLicences()].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await replaceDist();
