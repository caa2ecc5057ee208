// From a source text to what it defines and what it names. Nothing is resolved across files.

import type { QueryMatch } from 'web-tree-sitter';
import type { CodeReference, Definition, DefinitionKind, Symbols } from '../../domain/symbols.ts';
import { commentStart } from './comments.ts';
import { loadGrammar } from './grammars.ts';
import { grammarOf } from './languages.ts';

/** Longer texts are generated, and cost more to parse than they are worth. */
const MAX_TEXT = 1_000_000;
/** A parser that takes longer was given something that is no source code. */
const MAX_MS = 3_000;
/** Patterns half matched at once: bounds what deep nesting costs. */
const MATCH_LIMIT = 4_096;
const MAX_DEFINITIONS = 20_000;
const MAX_REFERENCES = 50_000;
/** Definitions inside each other: each has the names of all around it. */
const MAX_DEPTH = 50;
const MAX_NAME = 200;
const MAX_ON = 80;
/** What may stand around a name. */
const AROUND = ' \t\r\n"\'`<>;';

/** Undefined where there is no grammar for the file, or the parser gave up. */
export async function symbolsOf(name: string, text: string): Promise<Symbols | undefined> {
  const source = text.length > MAX_TEXT ? undefined : grammarOf(name, text);
  if (!source) return undefined;
  const { parser, query } = await loadGrammar(source.grammar);
  const end = performance.now() + MAX_MS;
  const progressCallback = (): boolean => performance.now() > end;
  const tree = parser.parse(source.code, null, { progressCallback });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    const found = query.matches(tree.rootNode, { matchLimit: MATCH_LIMIT, progressCallback }).map(read);
    return { language: source.language, ...collect(text, found) };
  } finally {
    tree.delete();
  }
}

/**
 * What stands before the name of a definition that only its file may name, and not in a string or in braces there. In Scala
 * `private[x]` is shared with x; in Swift `private(set)` is read from anywhere.
 */
const PRIVATE = /\b(?:(?:file)?private(?![[(])|defp|defmacrop)\b(?=[^"'`;{}]*$)/;
/** Characters before a name that hold its modifiers; many names may share one long declaration. */
const MODIFIERS = 200;

const REFERENCES = ['import', 'alias', 'call', 'extends', 'implements'] as const;
/** What a function in it is a method of. An `impl` only says whose methods follow. */
const TYPES: ReadonlySet<Kind> = new Set<Kind>(['class', 'interface', 'struct', 'enum', 'trait', 'impl']);

type Kind = DefinitionKind | CodeReference['kind'] | 'impl';

/** A match of the query: a definition or a reference. */
interface Found {
  kind: Kind;
  name: string;
  /** What stands before the name: the receiver's type, `Foo::`. */
  owners: string[];
  on: string | undefined;
  /** Offsets of the whole and of its name. */
  start: number;
  end: number;
  at: number;
  line: number;
  first: number;
  last: number;
  pattern: number;
}

function read({ captures, patternIndex }: QueryMatch): Found {
  let [kind, name, on, owner] = ['', '', undefined, ''] as [string, string, string | undefined, string];
  let [whole, named] = [captures[0]!.node, captures[0]!.node];
  for (const { name: capture, node } of captures) {
    if (capture === 'name') {
      name = node.text;
      named = node;
    } else if (capture === 'on') on = node.text.slice(0, MAX_ON);
    else if (capture === 'owner') owner = node.text;
    else if (!capture.startsWith('_')) {
      kind = capture;
      whole = node;
    }
  }
  const parts =
    kind === 'import' || kind === 'alias'
      ? [withoutQuotes(owner ? `${owner}.${name}` : name)]
      : bareName(name)
          .split('::')
          .filter((part) => part !== '');
  return {
    kind: kind as Kind,
    name: parts.at(-1) ?? '',
    owners: owner ? [bareName(owner)] : parts.slice(0, -1),
    on,
    start: whole.startIndex,
    end: whole.endIndex,
    at: named.startIndex,
    line: named.startPosition.row + 1,
    first: whole.startPosition.row + 1,
    last: whole.endPosition.row + 1,
    pattern: patternIndex,
  };
}

/** Without quotes, type arguments, and what marks a pointer or a symbol. */
function bareName(text: string): string {
  return withoutQuotes(text)
    .split(/[<([{\s]/, 1)[0]!
    .replace(/^[*&:\\?]+/, '');
}

function withoutQuotes(text: string): string {
  const kept = text.slice(0, MAX_NAME);
  let [start, end] = [0, kept.length];
  while (start < end && AROUND.includes(kept[start]!)) start += 1;
  while (end > start && AROUND.includes(kept[end - 1]!)) end -= 1;
  return kept.slice(start, end);
}

function collect(text: string, found: readonly Found[]): Pick<Symbols, 'definitions' | 'references'> {
  const isReference = ({ kind }: Found): boolean => (REFERENCES as readonly Kind[]).includes(kind);
  const named = found.filter(({ name }) => name !== '');
  const defining = firstOfEach(named.filter((one) => !isReference(one)));
  const { definitions, spans } = definitionsOf(text, defining);
  const references = withoutForms(named.filter(isReference), defining).sort((a, b) => a.at - b.at);
  const innermost = searcher(spans);
  return {
    definitions,
    references: references.slice(0, MAX_REFERENCES).map(({ kind, name, on, line, at }) => {
      const within = innermost(at);
      return {
        kind: kind as CodeReference['kind'],
        name,
        ...(on === undefined ? {} : { on }),
        line,
        ...(within === undefined ? {} : { within }),
      };
    }),
  };
}

/** `def` and `require` look like calls where they are the form of a definition or of an import. */
function withoutForms(references: readonly Found[], defining: readonly Found[]): Found[] {
  const span = ({ start, end }: Found): string => `${start}-${end}`;
  const imports = references.filter(({ kind }) => kind === 'import' || kind === 'alias');
  const forms = new Set([...defining, ...imports].map(span));
  const names = new Set(defining.map(({ at }) => at));
  return references.filter((one) => one.kind !== 'call' || (!forms.has(span(one)) && !names.has(one.at)));
}

/** Several patterns may find the same name; the first of them says what it is. In the order of the text. */
function firstOfEach(found: readonly Found[]): Found[] {
  const byName = new Map<number, Found>();
  for (const one of found) {
    const known = byName.get(one.at);
    if (!known || one.pattern < known.pattern) byName.set(one.at, one);
  }
  return [...byName.values()].sort((a, b) => a.start - b.start || b.end - a.end).slice(0, MAX_DEFINITIONS);
}

/** Offsets of a definition and its index. */
interface Span {
  start: number;
  end: number;
  index: number;
}

function definitionsOf(text: string, found: readonly Found[]): { definitions: Definition[]; spans: Span[] } {
  const lines = text.split('\n');
  const definitions: Definition[] = [];
  const spans: Span[] = [];
  const around: Found[] = [];
  // The line after which the next comment may begin.
  let free = 1;
  for (const one of found) {
    while (around.length > 0 && !holds(around.at(-1)!, one)) free = Math.max(free, around.pop()!.last + 1);
    const parent = around.at(-1);
    if (parent) free = Math.max(free, parent.first + 1);
    if (one.kind !== 'impl' && around.length < MAX_DEPTH) {
      const path = [...around.flatMap(({ owners, name }) => [...owners, name]), ...one.owners];
      const start = Math.min(one.first, commentStart(lines, one.first, free));
      spans.push({ start: one.start, end: one.end, index: definitions.length });
      definitions.push({
        name: one.name,
        kind: kindIn(one.kind as DefinitionKind, parent, one.owners),
        path,
        lines: { start, end: one.last },
        line: one.line,
        ...(PRIVATE.test(text.slice(Math.max(one.start, one.at - MODIFIERS), one.at))
          ? { private: true }
          : {}),
      });
    }
    around.push(one);
  }
  return { definitions, spans };
}

/** Names of one declaration (`int a, b`) stand beside each other. */
function holds(outer: Found, { start, end }: Found): boolean {
  return outer.end > start && !(outer.start === start && outer.end === end);
}

function kindIn(kind: DefinitionKind, parent: Found | undefined, owners: readonly string[]): DefinitionKind {
  const isMethod = kind === 'function' && (owners.length > 0 || (parent && TYPES.has(parent.kind)));
  return isMethod ? 'method' : kind;
}

/** Finds the innermost span around rising offsets. */
function searcher(spans: readonly Span[]): (at: number) => number | undefined {
  const open: Span[] = [];
  let next = 0;
  return (at) => {
    for (; next < spans.length && spans[next]!.start <= at; next += 1) {
      while (open.length > 0 && open.at(-1)!.end <= spans[next]!.start) open.pop();
      open.push(spans[next]!);
    }
    while (open.length > 0 && open.at(-1)!.end <= at) open.pop();
    return open.at(-1)?.index;
  };
}
