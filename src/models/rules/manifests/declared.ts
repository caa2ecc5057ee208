// What a file that declares things says: names with their kinds, relations between them, other names for the same.

import type { Kind } from '../relations/meanings.ts';
import type { MANIFEST_TYPES } from '../families.ts';

export type ThingKind = keyof typeof MANIFEST_TYPES;

export interface Declared {
  things: { name: string; kind: ThingKind; line: number; description?: string | undefined }[];
  relations: { source: string; target: string; kind: Kind; line: number; keyword: string }[];
  /** Names that stand for another one where that is a name of the documents: `orders` runs `order-service`. */
  also: { name: string; of: string }[];
}

const MAX_ITEMS = 2000;

export function nothing(): Declared {
  return { things: [], relations: [], also: [] };
}

export type Thing = Declared['things'][number];

export function thing(declared: Declared, { name, kind, line, description }: Thing): void {
  if (!isName(name) || declared.things.length >= MAX_ITEMS) return;
  declared.things.push({ name, kind, line, ...(description ? { description } : {}) });
}

export function relate(
  declared: Declared,
  source: string,
  target: string,
  said: { kind: Kind; line: number; keyword: string },
): void {
  if (!isName(source) || !isName(target) || source === target || declared.relations.length >= MAX_ITEMS)
    return;
  declared.relations.push({ source, target, ...said });
}

export function isName(name: string): boolean {
  return name.length > 1 && name.length <= 120 && /\p{L}/u.test(name) && !/[{}$<>\n]/.test(name);
}

const DATABASE =
  /^(?:postgres|mysql|mariadb|mongo|redis|valkey|cassandra|elasticsearch|opensearch|clickhouse|memcached|etcd|neo4j|influxdb|couchdb|timescaledb|cockroach|mssql|minio|sqlite|dynamodb|rds)/i;
const QUEUE = /^(?:kafka|rabbitmq|nats|pulsar|activemq|redpanda|sqs|sns|mosquitto)/i;

/** `registry/name:tag@digest` is an image called `name`. */
export function imageName(image: string | undefined): string | undefined {
  const base = image?.split('@')[0]!.split('/').at(-1)!.split(':')[0];
  return base === undefined || base === '' || !isName(base) ? undefined : base;
}

/** An image tells what runs: `postgres:16` is a database whatever the service is called. */
export function kindOfImage(image: string | undefined, name: string): ThingKind {
  const base = imageName(image) ?? '';
  if (DATABASE.test(base) || DATABASE.test(name)) return 'database';
  return QUEUE.test(base) || QUEUE.test(name) ? 'queue' : 'service';
}

/** The host a setting points at: `http://orders:8080/x`, `DB_HOST=postgres`, `amqp://u:p@mq`. */
export function hostOf(setting: string): string | undefined {
  const text = setting.slice(0, 400);
  const scheme = text.indexOf('://');
  const rest = scheme === -1 ? text : text.slice(scheme + 3);
  const at = scheme === -1 ? -1 : rest.indexOf('@');
  const host = /^[\w.-]+/.exec(at > 0 && at < 120 ? rest.slice(at + 1) : rest)?.[0];
  if (host === undefined) return undefined;
  return scheme === -1 && !/^[\w.-]+:\d{2,5}(?:\/|$)/.test(rest) && rest !== host ? undefined : host;
}
