// What the definitions of a code base are called in the graph. A distinctive name with a single definition is used as
// it is, so documentation that mentions it refers to the same entity; any other is qualified by its class, its file or
// its path.

import { graphKey } from '../../../domain/name-key.ts';
import type { Definition, DefinitionKind, Symbols } from '../../../domain/symbols.ts';
import { isTestPath } from '../../../domain/test-path.ts';
import { folderOf, withoutEnding } from './imports.ts';
import { packageOf } from './packages.ts';

export interface CodeFile {
  path: string;
  symbols: Symbols;
}

/** A definition that is an entity. */
export interface Node {
  file: CodeFile;
  definition: Definition;
  /** Index among the definitions of its file. */
  index: number;
  /** The type it is a part of. */
  owner: string | undefined;
  /** The type around a type. */
  outer: string | undefined;
  type: 'CLASS' | 'FUNCTION';
  /** Whether its file is one of tests. */
  isTest: boolean;
  /** What it is called in the graph. */
  name: string;
}

/** Here functions are parts of modules, which are called by their full names. */
export const MODULES = new Set(['elixir']);

const TYPE_OF: Partial<Record<DefinitionKind, Node['type']>> = {
  class: 'CLASS',
  interface: 'CLASS',
  struct: 'CLASS',
  enum: 'CLASS',
  trait: 'CLASS',
  type: 'CLASS',
  function: 'FUNCTION',
  method: 'FUNCTION',
  macro: 'FUNCTION',
};

/** What the unit of imports is called: the file, in Go the folder. */
export function moduleOf({ path, symbols }: CodeFile, root: string): string {
  if (symbols.language !== 'go') return path;
  return folderOf(path) || root;
}

/** The definitions that are entities: types and functions, without those inside a function. */
export function nodesOf(file: CodeFile): Node[] {
  const { definitions, language } = file.symbols;
  const modular = MODULES.has(language);
  const isTest = isTestPath(file.path);
  const around: { definition: Definition; type: Node['type'] | undefined }[] = [];
  return definitions.flatMap((definition, index) => {
    while (around.length > 0 && around.at(-1)!.definition.lines.end < definition.lines.start) around.pop();
    const inside = around.filter(({ definition: outer }) => holds(outer, definition));
    const hidden = inside.some(({ type }) => type === 'FUNCTION');
    const { kind, path } = definition;
    const type = modular && kind === 'module' ? 'CLASS' : TYPE_OF[kind];
    // What ends on the line of its name holds nothing.
    if (definition.lines.end > definition.line) around.push({ definition, type });
    if (!type || hidden) return [];
    const owner = modular ? path.join('.') || undefined : kind === 'method' ? path.at(-1) : undefined;
    const types = inside.filter(({ type }) => type === 'CLASS');
    const outer = type === 'CLASS' ? types.at(-1)?.definition.name : undefined;
    return [{ file, definition, index, owner, outer, type, isTest, name: '' }];
  });
}

function holds(outer: Definition, inner: Definition): boolean {
  return (
    outer.lines.start <= inner.lines.start && outer.lines.end >= inner.lines.end && outer.line !== inner.line
  );
}

/** What it is called with the type it is a part of. */
export function fullName({ definition: { name }, owner }: Node): string {
  return owner === undefined ? name : `${owner}.${name}`;
}

/** One word, which a sentence may hold by chance. */
const PLAIN = /^\p{Lu}?\p{Ll}*$|^\p{Lu}{1,3}$/u;

/** Names every node, the shortest that is its own. Clauses, overloads and parts of one definition are one thing. */
export function nameNodes(nodes: readonly Node[], root: string): void {
  const things = [...Map.groupBy(nodes, wholeOf).values()];
  const forms = things.map(([first]) => namesFor(first!, root));
  const taken = new Map<string, number>();
  for (const names of forms)
    for (const key of new Set(names.map(graphKey))) taken.set(key, (taken.get(key) ?? 0) + 1);
  things.forEach((parts, at) => {
    const name = forms[at]!.find((form) => taken.get(graphKey(form)) === 1) ?? forms[at]!.at(-1)!;
    for (const node of parts) node.name = name;
  });
}

/** What one scope calls by one name. A package is one scope of all that is not private in it. */
function wholeOf({ file, definition, type }: Node): string {
  return JSON.stringify([
    (definition.private && definition.path.length === 0 ? undefined : packageOf(file)) ?? file.path,
    file.symbols.language,
    definition.path,
    definition.name,
    type,
  ]);
}

function namesFor(node: Node, root: string): string[] {
  const { file, definition, owner } = node;
  const { name } = definition;
  const module = withoutEnding(moduleOf(file, root));
  const stem = module.slice(module.lastIndexOf('/') + 1);
  const inside = fullName(node);
  return [
    ...(owner === undefined && PLAIN.test(name) ? [`${stem}.${name}`] : [inside]),
    `${inside} (${file.path})`,
    `${inside} (${file.path}:${definition.line})`,
  ];
}
