// The graph of a code base: what its files import, define, call and extend, each with its line. A call is followed to a
// definition only where the text tells which: one of the same file or class, of an imported file, of the same package.

import type { EntityMention, RelationMention } from '../../../domain/graph.ts';
import type { CodeReference } from '../../../domain/symbols.ts';
import { isTestPath } from '../../../domain/test-path.ts';
import { CodeBase } from './base.ts';
import { fullName, moduleOf, MODULES, nameNodes, nodesOf, type CodeFile, type Node } from './names.ts';

/** What is written is so; a method found by its name alone nearly always. */
const SURE = 0.97;
const LIKELY = 0.75;
/** Lines told of one relation in one file. */
const MOST_LINES = 3;
/** A name without a prefix may stand for a definition of any file. */
const GLOBAL = new Set(['c', 'cpp', 'ruby', 'php', 'swift', 'bash', 'csharp']);
const SELF = /^(?:__MODULE__|this|self|cls|super\(\)|super|@|\$this|static|Self)$/;
/** Methods of every language's own types: a call of one says nothing of where it is defined. */
const BUILT_IN = new Set(
  'add all any append apply assign at bind build call catch clear clone close collect concat contains copy count create default delete each emit encode decode end entries equals error every exec exists extend fail filter finally find first flush for forEach format from get has hash index indexOf info init insert into is isEmpty items iter join keys last len length list load log lower map match max merge min name new next ok on open parse peek pop print push put read reduce remove render replace reset resolve reverse run send set size skip slice some sort split start stop string strip sub substr sum test then throw toString top trim type union unwrap update upper value values wait warn with write'.split(
    ' ',
  ),
);

type Edge = [source: string, type: string, target: string];

export interface CodeStatements {
  entities: EntityMention[];
  relations: RelationMention[];
}

export function codeGraph(files: readonly CodeFile[], root: string): Map<string, CodeStatements> {
  const nodes = files.flatMap(nodesOf);
  nameNodes(nodes, root);
  const base = new CodeBase(files, nodes, root);
  return new Map(files.map((file) => [file.path, statementsOf(file, base)]));
}

function statementsOf(file: CodeFile, base: CodeBase): CodeStatements {
  const module = moduleOf(file, base.root);
  const out: CodeStatements = { entities: [], relations: [] };
  const told = new Map<string, number>();
  const relate = ([source, type, target]: Edge, line: number, confidence = SURE): void => {
    const key = JSON.stringify([source, type, target]);
    const times = told.get(key) ?? 0;
    if (source === target || times >= MOST_LINES) return;
    told.set(key, times + 1);
    out.relations.push({ source, type, target, confidence, startLine: line, endLine: line });
  };
  out.entities.push({ name: module, type: 'MODULE', startLine: 1, endLine: 1 });
  const nodes = base.nodesIn(file.path);
  const types = new Map(nodes.filter(({ type }) => type === 'CLASS').map((node) => [fullName(node), node]));
  for (const { definition, name, type, owner } of nodes) {
    const { line, kind } = definition;
    const place = { startLine: line, endLine: line };
    out.entities.push({ name, type, description: `${kind} in ${file.path}`, ...place });
    const holder = owner === undefined ? undefined : types.get(owner)?.name;
    relate([holder ?? module, 'DEFINES', name], line);
  }
  for (const { written, line, target } of base.importsOf(file.path)) {
    if (target !== undefined) relate([module, 'IMPORTS', base.moduleName(target)], line);
    else if (!written.startsWith('.') && written !== '') {
      const name = written.split(/[{(\s]/, 1)[0]!.replace(/(?:::|[./])\*?$/, '');
      out.entities.push({ name, type: 'MODULE', startLine: line, endLine: line });
      relate([module, 'IMPORTS', name], line);
    }
  }
  const within = holderOf(file, nodes);
  for (const reference of file.symbols.references) {
    if (reference.kind === 'import' || reference.kind === 'alias') continue;
    const from = within(reference.within);
    const found = definitionOf(calledBy(reference), { file, from, base });
    if (!found) continue;
    const type = { call: 'CALLS', extends: 'EXTENDS', implements: 'IMPLEMENTS' }[reference.kind];
    if (reference.kind !== 'call' && from?.type !== 'CLASS') continue;
    const caller = from?.name ?? module;
    relate([caller, type, found.node.name], reference.line, found.sure ? SURE : LIKELY);
    const made = reference.kind === 'call' ? constructorOf(found.node, base) : undefined;
    if (made) relate([caller, type, made.name], reference.line);
  }
  return out;
}

/** What runs where a class is called. */
function constructorOf({ type, file, definition }: Node, base: CodeBase): Node | undefined {
  if (type !== 'CLASS') return undefined;
  return ['__init__', 'constructor', '__construct', definition.name, 'initialize', 'init']
    .flatMap((name) => base.inFile(file.path, name))
    .find(({ owner }) => owner === definition.name);
}

/** The entity around a definition: itself, or the nearest that holds it. */
function holderOf(
  { symbols }: CodeFile,
  nodes: readonly Node[],
): (within: number | undefined) => Node | undefined {
  const byIndex = new Map(nodes.map((node) => [node.index, node]));
  const open: Node[] = [];
  const holders = symbols.definitions.map(({ lines }, at) => {
    while (open.length > 0 && open.at(-1)!.definition.lines.end < lines.start) open.pop();
    const node = byIndex.get(at);
    if (node) open.push(node);
    return open.findLast(({ definition }) => definition.lines.end >= lines.end);
  });
  return (within) => (within === undefined ? undefined : holders[within]);
}

/** `f.call(…)` and `f.apply(…)` call f. */
function calledBy(reference: CodeReference): CodeReference {
  const { on, name, ...rest } = reference;
  return (name === 'call' || name === 'apply') && on !== undefined && /^[\w$]+$/.test(on)
    ? { ...rest, name: on }
    : reference;
}

interface Looking {
  file: CodeFile;
  from: Node | undefined;
  base: CodeBase;
}

/** The definition that a reference means; undefined where the text does not tell. */
function definitionOf(reference: CodeReference, looking: Looking): { node: Node; sure: boolean } | undefined {
  const { name, on, kind } = reference;
  const { file, from, base } = looking;
  // Most of what is called comes from elsewhere.
  if (base.named(partsOf(name).at(-1)!).length === 0) return undefined;
  const fits = (node: Node): boolean =>
    (kind === 'call' || node.type === 'CLASS') && node !== from && mayName(node, looking);
  if (on !== undefined && SELF.test(on)) return sure(methodOf(looking, name));
  if (on === undefined) {
    const free = (node: Node): boolean => fits(node) && isBare(node, looking);
    const isInside = from?.owner !== undefined || from?.type === 'CLASS';
    const sibling = isInside ? methodOf(looking, name) : undefined;
    const own = one(base.inFile(file.path, name), free) ?? sibling;
    return sure(
      own ??
        imported(looking, name, free) ??
        packaged(looking, name, (node) => free(node) && isAround(node, looking)) ??
        anywhere(looking, name, (node) => free(node) && isAround(node, looking)) ??
        innerType(looking, name),
    );
  }
  if (MODULES.has(file.symbols.language)) return sure(inModule(looking, on, name));
  const last = partsOf(on).at(-1)!;
  const ofType = one(visible(looking, name), (node) => node.owner === last && fits(node));
  if (ofType) return sure(ofType);
  const there = one(
    base.modulesCalled(file.path, last).flatMap((target) => base.exported(target, name)),
    (node) => node.owner === undefined && fits(node),
  );
  if (there) return sure(there);
  const receiver = receiverOf(looking, last) ? methodOf(looking, name) : undefined;
  if (receiver) return { node: receiver, sure: false };
  // `x.method()`: what x is the text does not tell, but only one method is called so.
  if (BUILT_IN.has(name) || isForeign(on, base)) return undefined;
  const only = one(base.named(name), (node) => fits(node) && isAround(node, looking));
  const isMethod = only?.owner !== undefined && only.file.symbols.language === file.symbols.language;
  return isMethod ? { node: only, sure: false } : undefined;
}

/** `Call.Factory`: a type by the one around it. */
function innerType(looking: Looking, written: string): Node | undefined {
  const [name, outer] = partsOf(written).toReversed();
  if (outer === undefined) return undefined;
  const { language } = looking.file.symbols;
  return one(looking.base.named(name!), (node) => {
    const isIts = node.outer === outer && node.file.symbols.language === language && node !== looking.from;
    return isIts && mayName(node, looking) && isAround(node, looking);
  });
}

/** What is private belongs to its file, or to the parts of the type it is in. */
function mayName({ file: { path }, definition }: Node, { file, from }: Looking): boolean {
  const home = definition.path.at(-1);
  return path === file.path || !definition.private || (home !== undefined && isWithin(from, home));
}

function isWithin(node: Node | undefined, type: string): boolean {
  return node !== undefined && [...node.definition.path, node.definition.name].includes(type);
}

/** Without an import, what tests define is there for tests. */
function isAround({ isTest }: Node, { file, from }: Looking): boolean {
  if (!isTest || isTestPath(file.path)) return true;
  return from?.definition.path.some((name) => /^tests?$/.test(name)) ?? false;
}

/** Whether it is called by its name alone: no method, unless of a module that the file opens, and no type inside another. */
function isBare(node: Node, { file, from, base }: Looking): boolean {
  const { path, symbols } = node.file;
  const { definition, owner, outer } = node;
  const imports = base.importsOf(file.path);
  if (owner !== undefined)
    return MODULES.has(symbols.language) && imports.some(({ written, opens }) => opens && written === owner);
  if (outer === undefined || path === file.path || isWithin(from, outer)) return true;
  const end = [outer, definition.name].join();
  return imports.some(({ written }) => partsOf(written).slice(-2).join() === end);
}

/** What is written before the dot is a module: by its full name, by its end where it is imported, or inside this one. */
function inModule(looking: Looking, on: string, name: string): Node | undefined {
  const { file, from, base } = looking;
  const [first] = on.split('.');
  const aliased = base
    .importsOf(file.path)
    .filter(({ written }) => written.split('.').at(-1) === first)
    .map(({ written }) => written + on.slice(first!.length));
  const own = from && moduleAround(from);
  const there = base
    .named(name)
    .filter((node) => node.file.symbols.language === file.symbols.language && mayName(node, looking));
  return [...aliased, `${own}.${on}`, on]
    .map((module) => one(there, ({ owner }) => owner === module))
    .find((found) => found !== undefined);
}

/** The type or the module that a definition is, or is a part of. */
function moduleAround(node: Node): string | undefined {
  return node.type === 'CLASS' ? fullName(node) : node.owner;
}

/** `Files.walk()`: what is written as types are, and that nothing here defines, is from elsewhere. */
function isForeign(on: string, base: CodeBase): boolean {
  const parts = partsOf(on);
  return parts.every((part) => /^\p{Lu}.*\p{Ll}/u.test(part)) && !base.defines(parts.at(-1)!);
}

/** What `a.b(c).d()` is called on is told by a and b. */
function partsOf(on: string): string[] {
  return on.split('(', 1)[0]!.split(/[.:>\\]+/);
}

function sure(node: Node | undefined): { node: Node; sure: boolean } | undefined {
  return node && { node, sure: true };
}

/** In Go the thing a method is of has a name of its own, nearly always one made from its type. */
function receiverOf({ file, from }: Looking, on: string): boolean {
  const owner = from?.owner?.toLowerCase();
  return (
    file.symbols.language === 'go' && owner !== undefined && (owner.startsWith(on) || owner.endsWith(on))
  );
}

/** A method of the class around the call, or of one that it extends by name. */
function methodOf({ file, from, base }: Looking, name: string): Node | undefined {
  const owner = from && (moduleAround(from) ?? from.definition.name);
  if (owner === undefined) return undefined;
  const mine = (node: Node): boolean => node.owner === owner && node !== from;
  const own =
    base.inFile(file.path, name).find(mine) ??
    base.inPackage(file, name).find(mine) ??
    base.inFolder(file.path, name).find(mine);
  if (own) return own;
  const parents = base.parentsOf(file.path, owner);
  if (parents.length === 0) return undefined;
  const looking = { file, from, base };
  return one(
    visible(looking, name),
    (node) => node.owner !== undefined && parents.includes(node.owner) && mayName(node, looking),
  );
}

/** Everything of a name that a file may call so without saying where it is. */
function visible({ file, base }: Looking, name: string): Node[] {
  const seen = base
    .importsOf(file.path)
    .flatMap(({ target }) => (target === undefined ? [] : base.exported(target, name)));
  return [...base.inFile(file.path, name), ...seen, ...base.inPackage(file, name)];
}

function imported({ file, base }: Looking, name: string, fits: (node: Node) => boolean): Node | undefined {
  const targets = base.importsOf(file.path).flatMap(({ target }) => (target === undefined ? [] : [target]));
  const there = (deep: boolean) => targets.flatMap((target) => base.exported(target, name, deep));
  return one(there(false), fits) ?? one(there(true), fits);
}

function packaged({ file, base }: Looking, name: string, fits: (node: Node) => boolean): Node | undefined {
  return one(base.inPackage(file, name), fits);
}

/** Where names need no import: the only definition of that name in the same language. */
function anywhere({ file, base }: Looking, name: string, fits: (node: Node) => boolean): Node | undefined {
  const { language } = file.symbols;
  if (!GLOBAL.has(language)) return undefined;
  return one(base.named(name), (node) => node.file.symbols.language === language && fits(node));
}

/** Where several fit, the text does not tell which; but one outside tests is meant rather than one in them. */
function one(nodes: readonly Node[], fits: (node: Node) => boolean): Node | undefined {
  let [found, ofTests, several]: [Node | undefined, Node | undefined, boolean] = [
    undefined,
    undefined,
    false,
  ];
  for (const node of nodes) {
    if (!fits(node)) continue;
    if (node.isTest) {
      ofTests ??= node;
      several ||= node.name !== ofTests.name;
    } else {
      found ??= node;
      // Of a name that many have, most are never looked at.
      if (node.name !== found.name) return undefined;
    }
  }
  return found ?? (several ? undefined : ofTests);
}
