// Kubernetes objects: what runs, whom its settings point at, which service stands before it, what an ingress leads to.

import type { YAMLMap } from 'yaml';
import { hostOf, imageName, isName, kindOfImage, nothing, relate, thing, type Declared } from './declared.ts';
import { at, items, pairs, strings, textAt, type Yaml } from './yaml.ts';

const WORKLOAD = /^(?:Deployment|StatefulSet|DaemonSet|Job|CronJob|ReplicaSet|Pod|Rollout)$/;

export function isObject(root: YAMLMap): boolean {
  return root.has('apiVersion') && root.has('kind');
}

/** All objects of a file together: a service selects what another object of the file runs. */
export function readObjects(roots: readonly YAMLMap[], { line }: Yaml): Declared {
  const declared = nothing();
  const workloads: { name: string; labels: Map<string, string> }[] = [];
  for (const root of roots) {
    const name = textAt(root, 'metadata', 'name');
    if (name === undefined || !isName(name) || !WORKLOAD.test(textAt(root, 'kind') ?? '')) continue;
    const template =
      at(root, 'spec', 'jobTemplate', 'spec', 'template') ?? at(root, 'spec', 'template') ?? root;
    const containers = items(at(template, 'spec', 'containers'));
    const image = textAt(containers[0], 'image');
    thing(declared, { name, kind: kindOfImage(image, name), line: line(at(root, 'metadata', 'name')) });
    const runs = imageName(image);
    if (runs !== undefined && runs !== name) declared.also.push({ name, of: runs });
    workloads.push({ name, labels: labelsOf(at(template, 'metadata', 'labels')) });
    for (const container of containers)
      for (const setting of items(at(container, 'env'))) {
        const value = at(setting, 'value');
        const host = hostOf(textAt(setting, 'value') ?? '');
        // Inside a cluster a service is called by its first name: `orders.shop.svc.cluster.local`.
        if (host !== undefined && /[a-z]/i.test(host)) point(declared, name, host, line(value));
      }
  }
  for (const root of roots) {
    const kind = textAt(root, 'kind');
    const name = textAt(root, 'metadata', 'name');
    if (name === undefined || !isName(name)) continue;
    if (kind === 'Service') readService(declared, workloads, root, { name, line });
    if (kind === 'Ingress' || kind === 'HTTPRoute') readRoutes(declared, root, { name, line });
  }
  return declared;
}

function point(declared: Declared, name: string, host: string, line: number): void {
  const first = host.split('.')[0]!;
  if (host.includes('.') && !/\.svc(?:\.|$)|\.local$/.test(host) && host.split('.').length > 3) return;
  if (
    /^(?:localhost|true|false|\d+|0)$/i.test(first) ||
    /^\d/.test(first) ||
    (host.includes('.') && !/\.svc(?:\.|$)/.test(host))
  )
    return;
  relate(declared, name, first, { kind: 'USES', line, keyword: 'env' });
}

function labelsOf(node: unknown): Map<string, string> {
  return new Map(pairs(node).map((pair) => [String(pair.key), String(pair.value)]));
}

function readService(
  declared: Declared,
  workloads: readonly { name: string; labels: Map<string, string> }[],
  root: YAMLMap,
  { name, line }: { name: string; line: Yaml['line'] },
): void {
  const selector = [...labelsOf(at(root, 'spec', 'selector'))];
  const node = at(root, 'metadata', 'name');
  thing(declared, { name, kind: 'service', line: line(node) });
  if (selector.length === 0) return;
  for (const workload of workloads)
    if (workload.name !== name && selector.every(([key, value]) => workload.labels.get(key) === value))
      relate(declared, name, workload.name, {
        kind: 'USES',
        line: line(at(root, 'spec', 'selector')),
        keyword: 'selector',
      });
}

function readRoutes(
  declared: Declared,
  root: YAMLMap,
  { name, line }: { name: string; line: Yaml['line'] },
): void {
  thing(declared, { name, kind: 'service', line: line(at(root, 'metadata', 'name')) });
  const lead = (target: string | undefined, node: unknown) => {
    if (target !== undefined)
      relate(declared, name, target, { kind: 'USES', line: line(node), keyword: 'backend' });
  };
  const backend = (node: unknown) => {
    const found = at(node, 'service', 'name') ?? at(node, 'serviceName');
    for (const { text, node: own } of strings(found)) lead(text, own);
  };
  backend(at(root, 'spec', 'defaultBackend'));
  for (const rule of items(at(root, 'spec', 'rules'))) {
    for (const path of items(at(rule, 'http', 'paths'))) backend(at(path, 'backend'));
    for (const reference of items(at(rule, 'backendRefs')))
      lead(textAt(reference, 'name'), at(reference, 'name'));
  }
}
