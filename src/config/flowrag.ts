// The FlowRAG configuration: flags, flowrag.config.json and defaults, made into the graph's settings. Paths of the file
// are relative to the file, paths of flags to the working directory. Errors name file, line and column.

import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { VaiError } from '../domain/errors.ts';
import type { GraphSettings } from '../domain/graph-settings.ts';
import { withoutTrailing } from '../domain/text.ts';
import { keysInEnvFile, readEnvFiles } from './env-file.ts';
import { checkFlowragFile, FLOWRAG_KEYS, type FlowragFile } from './flowrag-schema.ts';
import { DEFAULT_GRAPH } from './graph-defaults.ts';
import { readText } from './json-file.ts';
import { absolutePath, liesInside, shownPath } from './paths.ts';
import { notHonoured, type Trust, type TrustOf } from './trust.ts';

const FLOWRAG_FILE = 'flowrag.config.json';
const DATABASE = 'flowrag';
const MAX_BYTES = 1_000_000;
/** A project may lower what a file may hold, not raise it. */
const MAX_UNTRUSTED_BYTES = 64 * 1024 * 1024;

export interface FlowragFlags {
  config?: string | undefined;
  data?: string | undefined;
  docs?: string | undefined;
}

export interface FlowragInput {
  flags: FlowragFlags;
  env: Record<string, string | undefined>;
  cwd: string;
  userHome?: string;
  /** Databases registered already, by name. */
  databases?: Record<string, string>;
  /** Whether the user trusts the folder of a config file that no flag names. */
  trustOf: TrustOf;
}

export interface FlowragConfig {
  /** Undefined when nothing of FlowRAG is configured: its tools then look into the default database. */
  graph?: GraphSettings;
  /** The database file, to be registered under `graph.db`. */
  databaseFile?: string;
  /** The environment, with provider keys from trusted `.env` files where it had none. */
  env: Record<string, string | undefined>;
  /** What is wrong with a file that was ignored. */
  warnings?: string[];
}

export function resolveFlowrag(input: FlowragInput): FlowragConfig {
  const { flags, cwd } = input;
  const userHome = input.userHome ?? homedir();
  const path = absolutePath(flags.config ?? FLOWRAG_FILE, cwd, userHome);
  const there = existsSync(path);
  if (flags.config !== undefined && !there) {
    throw new VaiError('CONFIG_MISSING', `The config file ${shownPath(path, userHome)} does not exist.`, {
      hint: 'Check --config, or leave it out and use --data and --docs.',
    });
  }
  const base = dirname(path);
  // A file named by a flag was chosen by the user; one that happens to be in the folder was not.
  const trust = flags.config === undefined ? input.trustOf(base) : 'trusted';
  const named = flags.data !== undefined || flags.docs !== undefined;
  const folders = [base, cwd].filter(
    (folder) => (folder === base ? trust : input.trustOf(folder)) === 'trusted',
  );
  const env = readEnvFiles(folders, input.env);
  if (!there && !named) return { env };
  const written = there ? readFlowragFile(path, shownPath(path, userHome)) : { warnings: [] };
  const file = trust === 'trusted' ? written : narrowed(written, { base, userHome, trust });
  const at = (flag: string | undefined, value: string | undefined, fallback?: string) => {
    if (flag !== undefined) return absolutePath(flag, cwd, userHome);
    const chosen = value ?? fallback;
    return chosen === undefined ? undefined : absolutePath(chosen, base, userHome);
  };
  const { data: dataInFile, docs: docsInFile, schema, ...given } = file;
  const docs = at(flags.docs, docsInFile);
  const settings: GraphSettings = {
    ...DEFAULT_GRAPH,
    ...given,
    schema: { ...DEFAULT_GRAPH.schema, ...schema },
    ...(docs === undefined ? {} : { docs, collection: collectionOf(docs) }),
  };
  if (there && trust !== 'trusted' && !named) return { graph: inProject(settings, base), env };
  const data = at(flags.data, dataInFile, './data')!;
  const databaseFile = join(data, 'flowrag.db');
  const db = databaseName(databaseFile, input.databases ?? {});
  return { graph: { ...settings, data, db }, databaseFile, env };
}

/** What an untrusted file may say: how the graph looks, and which folder of its own project is read. */
function narrowed(
  file: FlowragFile,
  { base, userHome, trust }: { base: string; userHome: string; trust: Trust },
): FlowragFile {
  const { data, embedder, extractor, docs, maxBytes, ...rest } = file;
  const inside = docs !== undefined && liesInside(base, absolutePath(docs, base, userHome));
  const wishes = [
    ...(data === undefined ? [] : ['`data` (a database)']),
    ...(embedder ? ['`embedder` (a provider)'] : []),
    ...(extractor ? ['`extractor` (a provider)'] : []),
    ...(docs === undefined || inside ? [] : ['`docs` (a folder outside the project)']),
    ...keysInEnvFile(base).map((name) => `\`${name}\` of .env`),
  ];
  return {
    ...rest,
    ...(inside ? { docs } : {}),
    ...(maxBytes === undefined ? {} : { maxBytes: Math.min(maxBytes, MAX_UNTRUSTED_BYTES) }),
    warnings: [...file.warnings, ...(wishes.length ? [notHonoured(FLOWRAG_FILE, wishes, trust)] : [])],
  };
}

/** In the default database, under a name that says whose folder it is: every other project has `docs` as well. */
function inProject(settings: GraphSettings, project: string): GraphSettings {
  const { docs } = settings;
  if (docs === undefined) return settings;
  const own = resolve(docs) === resolve(project) ? '' : `-${collectionOf(docs)}`;
  return { ...settings, collection: collectionOf(`${collectionOf(project)}${own}`), within: project };
}

/** The folder's own name, as far as a collection may be called so. */
export function collectionOf(docs: string): string {
  const plain = basename(docs)
    .replaceAll(/[^\p{L}\p{N}_. -]+/gu, '-')
    .replace(/^[^\p{L}\p{N}_]+/u, '');
  const name = withoutTrailing(plain, '.').slice(0, 120);
  return name === '' || name.startsWith('_vai_') ? 'docs' : name;
}

/** `flowrag`, or a name made from the file where another folder has that name already. */
function databaseName(file: string, known: Record<string, string>): string {
  const registered = Object.entries(known).find(([, other]) => other === file)?.[0];
  if (registered !== undefined) return registered;
  if (known[DATABASE] === undefined) return DATABASE;
  return `${DATABASE}-${hash('sha256', file, 'hex').slice(0, 8)}`;
}

function readFlowragFile(path: string, shown: string): FlowragFile {
  const text = readText(path, shown, MAX_BYTES)!.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true })!;
  const [first] = errors;
  if (first)
    throw invalid(
      shown,
      place(text, first.offset),
      `is not valid JSON: ${words(printParseErrorCode(first.error))}`,
    );
  return checkFlowragFile(JSON.parse(text) as unknown, (keys, problem) => {
    throw invalid(shown, place(text, nodeAt(tree, keys).offset), problem);
  });
}

/** The value at the place, or the nearest one around it; a key that should not be there is found by its name. */
function nodeAt(tree: Node, keys: readonly (string | number)[]): Node {
  const node = findNodeAtLocation(tree, [...keys]);
  if (!node) return nodeAt(tree, keys.slice(0, -1));
  return node.parent?.type === 'property' ? node.parent : node;
}

function words(code: string): string {
  return code
    .replaceAll(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();
}

function place(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

function invalid(shown: string, where: string, problem: string): VaiError {
  return new VaiError('CONFIG_INVALID', `${shown}, ${where}: ${problem}${problem.endsWith('?') ? '' : '.'}`, {
    hint: `Correct the file. Its keys are ${FLOWRAG_KEYS.join(', ')}.`,
  });
}
