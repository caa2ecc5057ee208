// Relations drawn rather than written: Mermaid flowcharts and sequences, PlantUML, and arrows in a line of text.

import type { Piece, RuleContext } from './types.ts';

interface Node {
  name: string;
  type: string | undefined;
}

const MAX_LINES = 400;

export function readDiagram(language: string, piece: Piece, context: RuleContext): boolean {
  const lines = piece.text.split('\n').slice(0, MAX_LINES);
  const first = lines.find((line) => line.trim() !== '' && !line.trim().startsWith('%%'))?.trim() ?? '';
  if (language === 'mermaid') {
    if (/^(?:graph|flowchart)\b/.test(first))
      return readLines(lines, piece.line, flowLine(new Map(), context));
    if (/^sequenceDiagram\b/.test(first))
      return readLines(lines, piece.line, sequenceLine(new Map(), context));
    return false;
  }
  if (language === 'plantuml' || language === 'puml' || first.startsWith('@startuml'))
    return readLines(lines, piece.line, plantLine(new Map(), context));
  return false;
}

function readLines(
  lines: readonly string[],
  start: number,
  read: (line: string, number: number) => void,
): boolean {
  lines.forEach((line, index) => read(line.trim(), start + index));
  return true;
}

const NODE = /^\s*([\p{L}\p{N}_.-]+)\s*(\[\(|\(\[|\[\[|\(\(|\{\{|[[({>])?/u;
const CLOSERS: Record<string, string> = {
  '[(': ')]',
  '([': '])',
  '[[': ']]',
  '((': '))',
  '{{': '}}',
  '[': ']',
  '(': ')',
  '{': '}',
  '>': ']',
};
const FLOW_EDGE =
  /^\s*(?:(<)?(?:-->|---|-\.->|==>|--[ox])\s*(?:\|([^|]{0,80})\|)?|(?:--|-\.|==)\s*([^-=.|>]{1,80}?)\s*(?:-->|\.->|==>))\s*/;

function flowLine(nodes: Map<string, Node>, context: RuleContext) {
  const readNode = (rest: string, line: number): { node: Node; rest: string } | undefined => {
    const match = NODE.exec(rest);
    if (!match) return undefined;
    const id = match[1]!;
    let after = rest.slice(match[0].length);
    let label: string | undefined;
    if (match[2]) {
      const end = after.indexOf(CLOSERS[match[2]]!);
      if (end === -1) return undefined;
      label = after
        .slice(0, end)
        .replaceAll(/^["'\s]+|["'\s]+$/g, '')
        .replaceAll(/<br\s*\/?>/g, ' ');
      after = after.slice(end + CLOSERS[match[2]]!.length);
    } else after = rest.slice(match[0].length);
    after = after.replace(/^:::\w+/, '');
    const there = nodes.get(id);
    const node = there ?? { name: label ?? id, type: undefined };
    if (label !== undefined) node.name = label;
    node.type ??=
      context.cues.typeOf(node.name) ?? (match[2] === '[(' ? context.cues.kind('database') : undefined);
    nodes.set(id, node);
    if (node.type !== undefined) context.out.entity(node.name, node.type, line);
    return { node, rest: after };
  };
  return (text: string, line: number) => {
    if (/^(?:graph|flowchart|subgraph|end|style|classDef|class|click|linkStyle|direction|%%)\b/.test(text))
      return;
    let left = readNode(text.replace(/;$/, ''), line);
    while (left) {
      const edge = FLOW_EDGE.exec(left.rest);
      if (!edge) return;
      const right = readNode(left.rest.slice(edge[0].length), line);
      if (!right) return;
      edgeOf([left.node, right.node], edge[2] ?? edge[3], line, context);
      left = right;
    }
  };
}

/** One edge; the label names the relation where it can, else the arrow means what arrows mean in this schema. */
function edgeOf(
  [from, to]: [Node, Node],
  label: string | undefined,
  line: number,
  context: RuleContext,
): void {
  const said = label === undefined ? undefined : context.lexicon.label(label.replaceAll(/["']/g, ''));
  const type = said?.type ?? context.lexicon.arrow;
  const [source, target] = said?.reverse ? [to, from] : [from, to];
  context.out.relation({
    source,
    target,
    type,
    line,
    ...(label ? { keywords: [label.trim().slice(0, 60)] } : {}),
  });
}

function sequenceLine(nodes: Map<string, Node>, context: RuleContext) {
  const node = (id: string): Node => {
    const there = nodes.get(id);
    if (there) return there;
    const made = { name: id, type: context.cues.typeOf(id) };
    nodes.set(id, made);
    return made;
  };
  return (text: string, line: number) => {
    const declared = /^(?:create )?(?:participant|actor)\s+([\p{L}\p{N}_.-]+)(?:\s+as\s+(.{1,80}))?$/u.exec(
      text,
    );
    if (declared) {
      const name = (declared[2] ?? declared[1]!).replaceAll(/["']/g, '').trim();
      const made = { name, type: context.cues.typeOf(name) };
      nodes.set(declared[1]!, made);
      if (made.type !== undefined) context.out.entity(name, made.type, line);
      return;
    }
    // Only calls: a dashed arrow is the answer to one.
    const call =
      /^([\p{L}\p{N}_. -]+?)\s*-(?:>>|>|\)|x)\s*[+-]?\s*([\p{L}\p{N}_. -]+?)\s*:\s*(.{1,120})$/u.exec(text);
    if (call && !text.includes('-->')) edgeOf([node(call[1]!), node(call[2]!)], call[3], line, context);
  };
}

const PLANT_KINDS: Record<string, 'service' | 'database' | 'queue' | undefined> = {
  database: 'database',
  queue: 'queue',
  component: undefined,
  node: undefined,
  rectangle: undefined,
  participant: undefined,
  actor: undefined,
  interface: undefined,
  entity: undefined,
  collections: 'database',
  cloud: undefined,
  class: undefined,
};

function plantLine(nodes: Map<string, Node>, context: RuleContext) {
  const { cues } = context;
  const node = (raw: string): Node => {
    const id = raw.replaceAll(/^[[("']+|[\])"']+$/g, '').trim();
    const there = nodes.get(id);
    if (there) return there;
    const made = { name: id, type: cues.typeOf(id) };
    nodes.set(id, made);
    return made;
  };
  return (text: string, line: number) => {
    const declared =
      /^(\p{Ll}+)\s+(?:"([^"]{1,80})"|\[([^\]]{1,80})\]|([\p{L}\p{N}_.-]+))(?:\s+as\s+([\p{L}\p{N}_.-]+|"[^"]+"))?/u.exec(
        text,
      );
    if (declared && declared[1]! in PLANT_KINDS) {
      const shown = declared[2] ?? declared[3] ?? declared[4]!;
      const alias = declared[5]?.replaceAll('"', '');
      // `participant A as "Auth Service"` and `participant "Auth Service" as A` mean the same.
      const name = alias !== undefined && declared[5]!.startsWith('"') ? alias : shown;
      const kind = PLANT_KINDS[declared[1]!];
      const made = { name, type: cues.typeOf(name) ?? (kind ? cues.kind(kind) : undefined) };
      nodes.set(shown, made);
      if (alias !== undefined) nodes.set(alias, made);
      if (made.type !== undefined) context.out.entity(name, made.type, line);
      return;
    }
    const edge =
      /^(\[[^\]]{1,80}\]|\([^)]{1,80}\)|"[^"]{1,80}"|[\p{L}\p{N}_.]+)\s*(<?)(-|\.)(?:\[[^\]]*\])?(?:left|right|up|down|[lrud])?[-.]*(>{0,2})\s*(\[[^\]]{1,80}\]|\([^)]{1,80}\)|"[^"]{1,80}"|[\p{L}\p{N}_.]+)\s*(?::\s*(.{1,120}))?$/u.exec(
        text,
      );
    if (!edge || (edge[2] === '' && edge[4] === '')) return;
    // A dashed message is the answer to a call in a sequence.
    if (/^[^:]*--+>/.test(text) && edge[6] !== undefined && !text.includes('[')) return;
    const [from, to] = edge[2] === '<' && edge[4] === '' ? [edge[5]!, edge[1]!] : [edge[1]!, edge[5]!];
    edgeOf([node(from), node(to)], edge[6], line, context);
  };
}

const ARROW = /\s*(?:→|⟶|➜|=>|-{1,3}>|--\s?([\p{L} ]{1,30}?)\s?--?>)\s*/u;
const ARROW_LINE =
  /^[\s\d.*+>-]*((?:[^→⟶➜>=|]{1,60}?)(?:\s*(?:→|⟶|➜|=>|-{1,3}>|--\s?[\p{L} ]{1,30}?\s?--?>)\s*[^→⟶➜>=|]{1,60}?)+)\.?\s*$/u;

/** A line that is nothing but a chain of names and arrows: `Checkout → Billing Service → Postgres`. */
export function readArrowLine(piece: Piece, context: RuleContext): boolean {
  if (!/→|⟶|➜|=>|->/.test(piece.text) || piece.text.length > 400) return false;
  const match = ARROW_LINE.exec(piece.text.replaceAll(/[`*]/g, ''));
  if (!match) return false;
  const parts = match[1]!.split(ARROW).map((part) => part?.trim());
  // `split` with one group gives name, label, name, label, …
  const ends = parts.filter((_, index) => index % 2 === 0).map((part) => part ?? '');
  if (ends.length < 2 || ends.some((end) => !isEnd(end))) return false;
  const nodes = ends.map((name) => ({
    name,
    type: context.cues.typeOf(name) ?? context.memory.get(name.toLowerCase()),
  }));
  // "File → Open" is a menu: without a name of a known type or a label an arrow says nothing.
  const labelled = parts.some((part, index) => index % 2 === 1 && part && context.lexicon.label(part));
  if (!labelled && nodes.every((node) => node.type === undefined)) return false;
  for (let index = 1; index < nodes.length; index++)
    edgeOf([nodes[index - 1]!, nodes[index]!], parts[index * 2 - 1], piece.line, context);
  return true;
}

/** Up to four words that look like a name, not like a sentence, a menu step or code. */
function isEnd(text: string): boolean {
  const words = text.split(/\s+/);
  if (text === '' || words.length > 4 || /[(){};,:"$\\]|^\d/.test(text)) return false;
  return (
    words.every(
      (word) => /^[\p{Lu}\p{N}]/u.test(word) || /\p{Ll}[-_]?\p{Lu}|[-_]/u.test(word) || words.length > 1,
    ) && /\p{Lu}|[-_]/u.test(text)
  );
}
