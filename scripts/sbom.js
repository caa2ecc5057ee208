// The bill of materials of a build in CycloneDX: what is bundled, which scanners of node_modules cannot see, and what is
// installed beside it at run time.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages whose files went into a bundle. @param {{ inputs: Record<string, unknown> }} metafile @param {string} root */
export function bundledPackages({ inputs }, root) {
  const names = new Set();
  for (const input of Object.keys(inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) names.add(match[1]);
  }
  return [...names].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { name, version, license, folder };
  });
}

/** @param {ReturnType<typeof bundledPackages>} bundled @param {string} root */
export function sbom(bundled, root) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { name, version, license } = read('package.json');
  const installed = Object.entries(read('package-lock.json').packages)
    .filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional && !entry.peer)
    .map(([path, entry]) => ({ name: path.split('node_modules/').at(-1), ...entry }));
  const component = (scope) => (one) => ({
    type: 'library',
    'bom-ref': `${scope}:${purl(one)}`,
    name: one.name,
    version: one.version,
    purl: purl(one),
    ...(one.license ? { licenses: [{ expression: one.license }] } : {}),
    properties: [{ name: 'vai:delivery', value: scope }],
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': name, name, version, licenses: [{ expression: license }] },
    },
    components: [...bundled.map(component('bundled')), ...installed.map(component('installed'))],
  };
}

function purl({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
