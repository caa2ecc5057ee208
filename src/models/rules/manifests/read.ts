// Which kind of file that declares things a text is, told by its name and its keys; undefined where it is none.

import { isMap, type YAMLMap } from 'yaml';
import { readAsyncApi, readOpenApi } from './apis.ts';
import { isEntry, readCodeOwners, readEntry } from './catalogue.ts';
import { readCompose } from './compose.ts';
import type { Declared } from './declared.ts';
import { isObject, readObjects } from './kubernetes.ts';
import { readChart, readGoMod, readPackageJson, readPom, readRequirements, readToml } from './packages.ts';
import { readTerraform } from './terraform.ts';
import { readYaml, type Yaml } from './yaml.ts';

type Read = (text: string, startLine: number, path: string) => Declared;

const BY_NAME: readonly [RegExp, Read][] = [
  [/(?:^|\/)requirements[\w.-]*\.txt$/i, readRequirements],
  [/(?:^|\/)(?:pyproject|cargo)\.toml$/i, readToml],
  [/(?:^|\/)pom\.xml$/i, readPom],
  [/(?:^|\/)go\.mod$/i, readGoMod],
  [/(?:^|\/)codeowners$/i, readCodeOwners],
  [/\.tf$/i, readTerraform],
];

/** Whether a file of this name holds declarations and no sentences. */
export function isManifest(path: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(path) || BY_NAME.some(([name]) => name.test(path));
}

export function readManifest(text: string, startLine: number, path: string): Declared | undefined {
  const named = BY_NAME.find(([name]) => name.test(path))?.[1];
  if (named) return named(text, startLine, path);
  if (!KNOWN.test(text.slice(0, 4000))) return undefined;
  const yaml = readYaml(text, startLine);
  if (!yaml || yaml.roots.length === 0) return undefined;
  const parts = yaml.roots
    .filter((root) => !isObject(root) || isEntry(root))
    .map((root) => readRoot(root, yaml, path));
  const objects = yaml.roots.filter((root) => isObject(root) && !isEntry(root));
  if (objects.length > 0) parts.push(readObjects(objects, yaml));
  const found = parts.filter((part) => part !== undefined);
  return found.length === 0
    ? undefined
    : {
        things: found.flatMap((part) => part.things),
        relations: found.flatMap((part) => part.relations),
        also: found.flatMap((part) => part.also),
      };
}

const KNOWN =
  /^[\s"'{]*(?:services|name|openapi|swagger|asyncapi|apiVersion|kind|version|info|dependencies|---|#)/m;

function readRoot(root: YAMLMap, yaml: Yaml, path: string): Declared | undefined {
  if (isEntry(root)) return readEntry(root, yaml);
  if (root.has('openapi') || root.has('swagger')) return readOpenApi(root, yaml);
  if (root.has('asyncapi')) return readAsyncApi(root, yaml);
  if (isMap(root.get('services'))) return readCompose(root, yaml);
  if (/(?:^|\/)Chart\.ya?ml$/.test(path)) return readChart(root, yaml);
  if (root.has('name') && (root.has('dependencies') || root.has('devDependencies') || root.has('version')))
    return readPackageJson(root, yaml);
  return undefined;
}
