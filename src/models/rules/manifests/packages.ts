// Package manifests: a package and what it depends on. Each format is read line by line, no more than it needs.

import type { YAMLMap } from 'yaml';
import { nothing, relate, thing, type Declared } from './declared.ts';
import { at, items, keyOf, pairs, textAt, type Yaml } from './yaml.ts';

function depends(declared: Declared, name: string, target: string, line: number): void {
  thing(declared, { name: target, kind: 'package', line });
  relate(declared, name, target, { kind: 'DEPENDS_ON', line, keyword: 'dependency' });
}

/** The package that a manifest is of; undefined where it has no name. */
function ownPackage(declared: Declared, root: YAMLMap, { line }: Yaml): string | undefined {
  const name = textAt(root, 'name');
  const description = textAt(root, 'description');
  if (name !== undefined)
    thing(declared, { name, kind: 'package', line: line(at(root, 'name')), description });
  return name;
}

export function readPackageJson(root: YAMLMap, yaml: Yaml): Declared {
  const declared = nothing();
  const name = ownPackage(declared, root, yaml);
  if (name === undefined) return declared;
  for (const key of ['dependencies', 'peerDependencies'])
    for (const pair of pairs(at(root, key))) depends(declared, name, keyOf(pair), yaml.line(pair.key));
  return declared;
}

/** `Chart.yaml` of Helm. */
export function readChart(root: YAMLMap, yaml: Yaml): Declared {
  const declared = nothing();
  const name = ownPackage(declared, root, yaml);
  if (name === undefined) return declared;
  for (const one of items(at(root, 'dependencies'))) {
    const target = textAt(one, 'name');
    if (target !== undefined) depends(declared, name, target, yaml.line(at(one, 'name')));
  }
  return declared;
}

/** The folder a file lies in names what the file is for. */
function folderOf(path: string): string | undefined {
  return path.split('/').at(-2);
}

export function readRequirements(text: string, startLine: number, path: string): Declared {
  const declared = nothing();
  const owner = folderOf(path);
  if (owner === undefined) return declared;
  text.split('\n', 5000).forEach((raw, index) => {
    const found = /^([A-Za-z][\w.-]{0,80})(?:\[[^\]]{0,80}\])? *(?:[=<>!~;@]|$)/.exec(raw.trim())?.[1];
    if (found === undefined) return;
    depends(declared, owner, found, startLine + index);
  });
  if (declared.relations.length > 0) thing(declared, { name: owner, kind: 'service', line: startLine });
  return declared;
}

export function readGoMod(text: string, startLine: number): Declared {
  const declared = nothing();
  let name: string | undefined;
  let block = false;
  text.split('\n', 5000).forEach((raw, index) => {
    const line = raw.trim();
    const number = startLine + index;
    if (line.startsWith('module ')) {
      name = shortModule(line.slice(7).trim());
      thing(declared, { name, kind: 'package', line: number });
    } else if (line.startsWith('require (')) block = true;
    else if (line === ')') block = false;
    else if ((block || line.startsWith('require ')) && !line.includes('// indirect')) {
      const target = line.replace(/^require /, '').split(' ')[0]!;
      if (name !== undefined && target.includes('/')) depends(declared, name, shortModule(target), number);
    }
  });
  return declared;
}

/** `github.com/org/name/v2` is `name`. */
function shortModule(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1)!;
  return /^v\d+$/.test(last) && parts.length > 1 ? parts.at(-2)! : last;
}

/** `pyproject.toml` and `Cargo.toml`: tables, keys, and lists of texts. */
export function readToml(text: string, startLine: number): Declared {
  const declared = nothing();
  const names: { name: string; line: number }[] = [];
  const targets: { name: string; line: number }[] = [];
  let table = '';
  let list = false;
  text.split('\n', 5000).forEach((raw, index) => {
    const line = raw.trim();
    const number = startLine + index;
    if (line.startsWith('#') || line === '') return;
    if (!list && line.startsWith('[')) {
      table = line.replace(/^\[+/, '').replace(/\].*$/, '').trim();
      const dependency = /^(?:target\..{1,60}\.)?dependencies\.([\w-]+)$/.exec(table)?.[1];
      if (dependency !== undefined) targets.push({ name: dependency, line: number });
      return;
    }
    const equals = line.indexOf('=');
    const key = equals === -1 || list ? '' : line.slice(0, equals).trim();
    if (key === 'name' && (table === 'package' || table === 'project' || table === 'tool.poetry')) {
      const name = /"([^"]{1,80})"|'([^']{1,80})'/.exec(line.slice(equals))?.slice(1).find(Boolean);
      if (name !== undefined) names.push({ name, line: number });
    } else if (
      /^(?:tool\.poetry\.|workspace\.)?dependencies$/.test(table) &&
      key !== '' &&
      key !== 'python' &&
      !list
    )
      targets.push({ name: key.replaceAll('"', ''), line: number });
    else if (table === 'project' && (key === 'dependencies' || list)) {
      for (const found of line
        .slice(equals === -1 || list ? 0 : equals)
        .matchAll(/["']([A-Za-z][\w.-]{0,80})/g))
        targets.push({ name: found[1]!, line: number });
      list = (list || line.includes('[')) && !line.endsWith(']') && !line.endsWith('],');
    }
  });
  const [own] = names;
  if (!own) return declared;
  thing(declared, { name: own.name, kind: 'package', line: own.line });
  for (const target of targets) depends(declared, own.name, target.name, target.line);
  return declared;
}

/** `pom.xml`: the first artifact is the project's own, its parent aside; those inside `<dependency>` are depended on. */
export function readPom(text: string, startLine: number): Declared {
  const declared = nothing();
  let inside = '';
  let name: string | undefined;
  text.split('\n', 20_000).forEach((raw, index) => {
    const line = raw.trim().slice(0, 400);
    for (const tag of ['parent', 'dependency', 'plugin', 'exclusion', 'dependencyManagement']) {
      if (line.startsWith(`<${tag}>`)) inside = tag;
      else if (line.includes(`</${tag}>`) && inside === tag) inside = '';
    }
    const artifact = /<artifactId>([^<]{1,100})<\/artifactId>/.exec(line)?.[1]?.trim();
    if (artifact === undefined) return;
    const number = startLine + index;
    if (inside === '' && name === undefined) {
      name = artifact;
      thing(declared, { name, kind: 'package', line: number });
    } else if (inside === 'dependency' && name !== undefined) depends(declared, name, artifact, number);
  });
  return declared;
}
