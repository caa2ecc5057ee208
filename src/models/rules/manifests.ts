// Service files: docker-compose, package manifests, OpenAPI, Kubernetes objects and catalogue entries. They are parsed
// whole, with positions, so that every item has its line; a file that is none of these gives nothing.

import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { RuleContext } from './types.ts';

const MAX_BYTES = 400_000;
const MAX_ITEMS = 500;

interface File {
  context: RuleContext;
  line: (node: unknown) => number;
}

/** Reads a JSON or YAML text (JSON is YAML); false when it is not a file of a known kind. */
export function readManifest(text: string, startLine: number, context: RuleContext): boolean {
  if (
    text.length > MAX_BYTES ||
    !/^\s*["']?(?:services|name|openapi|swagger|asyncapi|apiVersion|kind|version|info|dependencies|\{|---|#)/m.test(
      text.slice(0, 4000),
    )
  )
    return false;
  const counter = new LineCounter();
  let documents;
  try {
    documents = parseAllDocuments(text, { lineCounter: counter, logLevel: 'silent', strict: false });
  } catch {
    return false;
  }
  if (!Array.isArray(documents)) return false;
  const file: File = {
    context,
    line: (node) => {
      const offset = (node as Node | undefined)?.range?.[0];
      return startLine - 1 + (offset === undefined ? 1 : counter.linePos(offset).line);
    },
  };
  let known = false;
  for (const document of documents.slice(0, 50)) {
    if (document.errors.length > 0 || !isMap(document.contents)) continue;
    known = readRoot(document.contents, file) || known;
  }
  return known;
}

function readRoot(root: YAMLMap, file: File): boolean {
  if (isMap(root.get('services')) && !root.has('openapi')) return readCompose(root, file);
  if (root.has('openapi') || root.has('swagger')) return readOpenApi(root, file);
  if (root.has('apiVersion') && root.has('kind')) return readObject(root, file);
  if (root.has('name') && (root.has('dependencies') || root.has('devDependencies') || root.has('version')))
    return readPackage(root, file);
  return false;
}

const keyOf = (pair: Pair): string => {
  const key = pair.key;
  return isScalar(key) ? String(key.value) : '';
};
const scalar = (node: unknown): string | undefined =>
  isScalar(node) && ['string', 'number'].includes(typeof node.value) ? String(node.value) : undefined;
const value = (map: unknown, key: string): unknown => (isMap(map) ? map.get(key, true) : undefined);
const text = (map: unknown, key: string): string | undefined => scalar(value(map, key));

function strings(node: unknown): { text: string; node: unknown }[] {
  if (isSeq(node))
    return node.items.flatMap((item) =>
      scalar(item) === undefined ? [] : [{ text: scalar(item)!, node: item }],
    );
  if (isMap(node)) return node.items.map((pair) => ({ text: keyOf(pair), node: pair.key }));
  const single = scalar(node);
  return single === undefined ? [] : [{ text: single, node }];
}

/** An image name tells what runs: `postgres:16` is a database whatever the service is called. */
function typeOfImage(image: string | undefined, name: string, file: File): string {
  const { cues } = file.context;
  const base = image?.split('@')[0]!.split('/').at(-1)!.split(':')[0] ?? '';
  const known =
    /^(?:postgres|postgresql|mysql|mariadb|mongo|mongodb|redis|valkey|cassandra|elasticsearch|opensearch|clickhouse|memcached|etcd|neo4j|influxdb|couchdb|timescaledb|cockroach|mssql)/i.test(
      base,
    );
  if (known) return cues.kind('database');
  if (/^(?:kafka|rabbitmq|nats|pulsar|activemq|redpanda)/i.test(base)) return cues.kind('queue');
  return cues.typeOf(name) ?? cues.kind('service');
}

function readCompose(root: YAMLMap, file: File): boolean {
  const services = root.get('services') as YAMLMap;
  const types = new Map<string, string>();
  for (const pair of services.items.slice(0, MAX_ITEMS)) {
    const name = keyOf(pair);
    if (name === '' || !isMap(pair.value)) continue;
    types.set(name, typeOfImage(text(pair.value, 'image'), name, file));
    file.context.out.entity(name, types.get(name), file.line(pair.key));
  }
  const depends = file.context.lexicon.label('depends on')?.type;
  const uses = file.context.lexicon.label('uses')?.type ?? depends;
  for (const pair of services.items.slice(0, MAX_ITEMS)) {
    const name = keyOf(pair);
    const source = { name, type: types.get(name) };
    const link = (target: string, node: unknown, type: string | undefined, keywords: string[]) => {
      if (type !== undefined && types.has(target) && target !== name)
        file.context.out.relation({
          source,
          target: { name: target, type: types.get(target) },
          type,
          line: file.line(node),
          keywords,
        });
    };
    for (const item of strings(value(pair.value, 'depends_on')))
      link(item.text, item.node, depends, ['depends_on']);
    for (const item of strings(value(pair.value, 'links')))
      link(item.text.split(':')[0]!, item.node, depends, ['links']);
    const environment = value(pair.value, 'environment');
    const settings = isMap(environment)
      ? environment.items.map((item) => ({ text: scalar(item.value) ?? '', node: item.key }))
      : strings(environment);
    for (const setting of settings) {
      const host = /:\/\/(?:[^@/\s]*@)?([\w.-]+)|(?:^|=)([\w-]+):\d{2,5}\b/.exec(setting.text);
      const target = host?.[1] ?? host?.[2];
      if (target !== undefined) link(target, setting.node, uses, ['environment']);
    }
  }
  return types.size > 0;
}

function readPackage(root: YAMLMap, file: File): boolean {
  const name = text(root, 'name');
  if (name === undefined) return false;
  const { cues, lexicon, out } = file.context;
  const type = cues.typeOf(name) ?? cues.kind('package');
  out.entity(name, type, file.line(value(root, 'name')), text(root, 'description'));
  const depends = lexicon.label('depends on')?.type ?? lexicon.label('uses')?.type;
  if (depends === undefined) return true;
  for (const key of ['dependencies', 'peerDependencies']) {
    const map = value(root, key);
    if (!isMap(map)) continue;
    for (const pair of map.items.slice(0, MAX_ITEMS)) {
      const target = keyOf(pair);
      out.relation({
        source: { name, type },
        target: { name: target, type: cues.typeOf(target) ?? cues.kind('package') },
        type: depends,
        line: file.line(pair.key),
        keywords: [key],
      });
    }
  }
  return true;
}

function readOpenApi(root: YAMLMap, file: File): boolean {
  const info = root.get('info');
  const name = text(info, 'title');
  if (name === undefined) return false;
  const { cues, lexicon, out } = file.context;
  const type = cues.typeOf(name) ?? cues.kind('api');
  out.entity(name, type, file.line(value(info, 'title')), text(info, 'description'));
  const uses = lexicon.label('uses')?.type;
  const schemes = value(value(root, 'components'), 'securitySchemes') ?? value(root, 'securityDefinitions');
  if (isMap(schemes) && uses !== undefined)
    for (const pair of schemes.items.slice(0, 20)) {
      const kind = text(pair.value, 'type');
      const protocol =
        kind === 'oauth2' ? 'OAuth 2.0' : kind === 'openIdConnect' ? 'OpenID Connect' : undefined;
      if (protocol !== undefined)
        out.relation({
          source: { name, type },
          target: { name: protocol, type: cues.typeOf(protocol) },
          type: uses,
          line: file.line(pair.key),
          keywords: ['security'],
        });
    }
  const paths = value(root, 'paths');
  const exposes = lexicon.label('exposes')?.type;
  if (isMap(paths) && cues.has('ENDPOINT') && exposes !== undefined)
    for (const pair of paths.items.slice(0, MAX_ITEMS))
      out.relation({
        source: { name, type },
        target: { name: keyOf(pair), type: cues.kind('api') },
        type: exposes,
        line: file.line(pair.key),
      });
  return true;
}

/** Kubernetes objects that run something, and entries of a software catalogue (Backstage's format). */
function readObject(root: YAMLMap, file: File): boolean {
  const kind = text(root, 'kind') ?? '';
  const name = text(root.get('metadata'), 'name');
  if (name === undefined) return false;
  const { cues, out } = file.context;
  const spec = root.get('spec');
  const at = file.line(value(root.get('metadata'), 'name'));
  if (/^(?:Deployment|StatefulSet|DaemonSet)$/.test(kind)) {
    const containers = value(value(value(spec, 'template'), 'spec'), 'containers');
    const image = isSeq(containers) ? text(containers.items[0], 'image') : undefined;
    out.entity(name, typeOfImage(image, name, file), at);
    return true;
  }
  if (!/^(?:Component|API|Resource|System)$/.test(kind)) return false;
  const declared = text(spec, 'type');
  const type =
    (declared === undefined ? undefined : cues.typeOfWord(declared)) ??
    cues.typeOf(name) ??
    cues.kind(kind === 'API' ? 'api' : 'service');
  out.entity(name, type, at, text(root.get('metadata'), 'description'));
  const relate = (key: string, label: string, flip: boolean, targetKind: 'team' | 'api' | 'service') => {
    const relation = file.context.lexicon.label(label)?.type;
    if (relation === undefined) return;
    for (const item of strings(value(spec, key)).slice(0, 100)) {
      const plain = item.text.replace(/^[a-z]+:(?:[\w-]+\/)?/, '');
      const other = { name: plain, type: cues.typeOf(plain) ?? cues.kind(targetKind) };
      const own = { name, type };
      out.relation({
        source: flip ? other : own,
        target: flip ? own : other,
        type: relation,
        line: file.line(item.node),
        keywords: [key],
      });
    }
  };
  relate('owner', 'owns', true, 'team');
  relate('dependsOn', 'depends on', false, 'service');
  relate('consumesApis', 'consumes', false, 'api');
  relate('providesApis', 'produces', false, 'api');
  return true;
}
