// The file that `--oauth` names: whose tokens the HTTP server accepts, and what their holders may do. Nothing in it is
// a secret; a client secret has its own file. Anything unknown is an error: skipping a rule would allow or deny more
// than its author meant.

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { nearest } from '../domain/nearest.ts';
import { isScope, SCOPES, type AccessScope } from '../domain/scopes.ts';
import { isObject } from '../domain/object.ts';
import { configInvalid, readJsonObject, type JsonObject } from './json-file.ts';
import { absolutePath } from './paths.ts';

/** What the members of some groups may do; without groups: everybody the issuer vouches for. */
export interface AccessRule {
  groups?: string[];
  scopes: AccessScope[];
  collections: '*' | string[];
  /** Requests a minute; undefined: the server's own limit. */
  rate?: number;
  /** Dollars a day and person for hosted models. */
  spending?: number;
}

export interface OAuthSettings {
  /** As the tokens spell it. */
  issuer: string;
  /** Address by which clients call this server, `/mcp` included. */
  resource: string;
  /** What a token must be made for, one of them. */
  audience: string[];
  /** Scopes as clients ask for them, to ours. */
  scopes: Record<string, AccessScope>;
  scopeClaims: string[];
  groupsClaim: string;
  /** The first that fits decides. */
  access: AccessRule[];
  /** The page as a client of the issuer; without it people sign in with keys and links only. */
  page?: { clientId: string; clientSecret?: string };
}

const FIELDS = [
  'issuer',
  'resource',
  'audience',
  'scopes',
  'scopeClaims',
  'groupsClaim',
  'access',
  'clientId',
  'clientSecretFile',
];
const RULE_FIELDS = ['groups', 'scopes', 'collections', 'rate', 'spending'];
const DEFAULT_SCOPES = Object.fromEntries(SCOPES.map((scope) => [`vai:${scope}`, scope]));
const MAX_BYTES = 1_000_000;
const MAX_ITEMS = 1_000;
/** RFC 6749: what a scope may consist of. It is written into a header. */
const SCOPE_NAME = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** `shown` is how the path may be printed. */
export function readOAuth(path: string, shown: string, userHome: string): OAuthSettings {
  const file = readJsonObject(path, shown, MAX_BYTES);
  if (!file) throw configInvalid(shown, 'does not exist');
  const fail = (problem: string): never => {
    throw configInvalid(shown, problem);
  };
  knownFields(file, FIELDS, fail);
  const resource = address(file, 'resource', fail);
  const clientId = file['clientId'] === undefined ? undefined : text(file['clientId'], 'clientId', fail);
  return {
    issuer: address(file, 'issuer', fail),
    resource,
    audience: file['audience'] === undefined ? [resource] : texts(file['audience'], 'audience', fail),
    scopes: scopesOf(file['scopes'], fail),
    scopeClaims:
      file['scopeClaims'] === undefined ? ['scope', 'scp'] : texts(file['scopeClaims'], 'scopeClaims', fail),
    groupsClaim:
      file['groupsClaim'] === undefined ? 'groups' : text(file['groupsClaim'], 'groupsClaim', fail),
    access: rulesOf(file['access'], fail),
    ...(clientId === undefined ? {} : { page: { clientId, ...secretOf(file, path, userHome, fail) } }),
  };
}

type Fail = (problem: string) => never;

function knownFields(object: JsonObject, known: readonly string[], fail: Fail): void {
  const strange = Object.keys(object).find((name) => !known.includes(name));
  if (strange === undefined) return;
  const [near] = nearest(strange, known);
  fail(`has the unknown field \`${strange.slice(0, 40)}\`${near ? ` (\`${near}\`?)` : ''}`);
}

/** Tokens that cross a network in the clear are anybody's. */
function address(file: JsonObject, name: string, fail: Fail): string {
  const value = text(file[name], name, fail);
  const url = URL.canParse(value) ? new URL(value) : fail(`must have an address as \`${name}\``);
  if (url.search || url.hash || url.username || url.password)
    fail(`must have a plain address as \`${name}\`, without a user, \`?\` or \`#\``);
  if (!isSecureUrl(url)) fail(`must have an https address as \`${name}\``);
  return value;
}

/** https, or a server on this very machine. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  const local = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && local);
}

function text(value: unknown, name: string, fail: Fail): string {
  return typeof value === 'string' && /^\P{Cc}{1,1000}$/u.test(value)
    ? value
    : fail(`must have a text as \`${name}\``);
}

function texts(value: unknown, name: string, fail: Fail): string[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  if (list.length === 0 || list.length > MAX_ITEMS) fail(`must have 1 to ${MAX_ITEMS} texts as \`${name}\``);
  return list.map((one) => text(one, name, fail));
}

function scopesOf(value: unknown, fail: Fail): Record<string, AccessScope> {
  if (value === undefined) return DEFAULT_SCOPES;
  if (!isObject(value) || Object.keys(value).length === 0)
    return fail('must map scopes of tokens to `read`, `write` or `admin` in `scopes`');
  return Object.fromEntries(
    Object.entries(value).map(([name, scope]) => [
      SCOPE_NAME.test(name) ? name : fail('has a name in `scopes` that no scope can have'),
      isScope(scope) ? scope : fail(`must have ${SCOPES.join(', ')} as values in \`scopes\``),
    ]),
  );
}

/** Without a rule nobody may do anything, which is better reported at start than at every call. */
function rulesOf(value: unknown, fail: Fail): AccessRule[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ITEMS)
    return fail('must say who may do what in `access`, a list of rules');
  return (value as unknown[]).map((rule) =>
    isObject(rule) ? ruleOf(rule, fail) : fail('has a rule that is not an object'),
  );
}

function ruleOf(rule: JsonObject, fail: Fail): AccessRule {
  knownFields(rule, RULE_FIELDS, fail);
  const { groups, scopes, collections, rate, spending } = rule;
  if (!Array.isArray(scopes) || scopes.length === 0 || !scopes.every(isScope))
    return fail(`must have a list of ${SCOPES.join(', ')} as \`scopes\` of every rule`);
  if (rate !== undefined && !(Number.isInteger(rate) && (rate as number) > 0))
    fail('must have a whole number above 0 as `rate` of a rule');
  if (spending !== undefined && !(typeof spending === 'number' && spending >= 0))
    fail('must have dollars a day, 0 or more, as `spending` of a rule');
  return {
    ...(groups === undefined ? {} : { groups: texts(groups, 'groups', fail) }),
    scopes,
    collections: collectionsOf(collections, fail),
    ...(rate === undefined ? {} : { rate: rate as number }),
    ...(spending === undefined ? {} : { spending }),
  };
}

/** `"*"` next to other names is a mistake, and we must not guess which was meant. */
function collectionsOf(value: unknown, fail: Fail): '*' | string[] {
  if (value === '*') return '*';
  const names = value === undefined ? [] : texts(value, 'collections', fail);
  if (names.length === 0 || names.includes('*'))
    fail('must have `"*"` or a list of names as `collections` of every rule');
  return names;
}

function secretOf(file: JsonObject, path: string, userHome: string, fail: Fail): { clientSecret?: string } {
  if (file['clientSecretFile'] === undefined) return {};
  const named = text(file['clientSecretFile'], 'clientSecretFile', fail);
  try {
    return { clientSecret: readFileSync(absolutePath(named, dirname(path), userHome), 'utf8').trim() };
  } catch {
    return fail('names a `clientSecretFile` that cannot be read');
  }
}
