// What a drawing says: boxes, arrows between them, and boxes around boxes.

import { readDot } from './dot.ts';
import { readMermaid } from './mermaid.ts';
import { readPlantUml } from './plantuml.ts';

export interface DiagramNode {
  id: string;
  /** As it is drawn, lines and all; the id where nothing else was said. */
  label: string;
  shape: 'database' | 'queue' | 'person' | 'plain';
  line: number;
  /** Id of the box around it. */
  group: string | undefined;
}

export interface DiagramEdge {
  from: string;
  to: string;
  label: string | undefined;
  line: number;
  /** What the arrow itself means, where the drawing gives it a meaning. */
  meaning: 'arrow' | 'extends' | 'part' | 'line';
}

export interface Diagram {
  nodes: Map<string, DiagramNode>;
  edges: DiagramEdge[];
  /** Boxes around boxes, by id. */
  groups: Map<string, { label: string; line: number; group: string | undefined }>;
}

const MAX_LINES = 1000;
const MAX_LINE = 2000;

export function emptyDiagram(): Diagram {
  return { nodes: new Map(), edges: [], groups: new Map() };
}

/** Reads a fenced drawing; undefined where it is none that is known. `line` is that of its first line. */
export function readDiagram(language: string, text: string, line: number): Diagram | undefined {
  const lines = text.split('\n', MAX_LINES).map((one) => one.slice(0, MAX_LINE).trim());
  const first = lines.find((one) => one !== '' && !one.startsWith('%%') && one !== '---') ?? '';
  if (language === 'mermaid') return readMermaid(lines, line);
  if (/^(?:plantuml|puml|c4plantuml)$/.test(language) || first.startsWith('@startuml'))
    return readPlantUml(lines, line);
  if (language === 'dot' || language === 'graphviz' || /^(?:strict )?digraph\b/.test(first))
    return readDot(lines, line);
  return undefined;
}

/** A node under its id; a label given later names it everywhere. */
export function nodeOf(
  diagram: Diagram,
  id: string,
  given: {
    label?: string | undefined;
    shape?: DiagramNode['shape'];
    line: number;
    group?: string | undefined;
  },
): void {
  const node = diagram.nodes.get(id);
  if (!node) {
    const { label = id, shape = 'plain', line, group } = given;
    diagram.nodes.set(id, { id, label, shape, line, group });
    return;
  }
  if (given.label !== undefined) node.label = given.label;
  if (given.shape !== undefined && given.shape !== 'plain') node.shape = given.shape;
  // The box in which a node is spelled out is its place; one where it is only pointed at is not.
  if (given.label !== undefined || node.group === undefined) node.group = given.group ?? node.group;
}

/** An arrow, and the boxes at its ends where they are not spelled out. */
export function connect(diagram: Diagram, edge: DiagramEdge, group?: string): void {
  for (const id of [edge.from, edge.to]) nodeOf(diagram, id, { line: edge.line, group });
  diagram.edges.push(edge);
}

export interface Label {
  name: string;
  /** What stands in brackets behind the name: what it is made of or also called. */
  also: string | undefined;
}

/** A frame with such a label is around the drawing, and nothing of the system. */
export const ABOUT_A_DRAWING = /\b(?:diagram|legend|flow|view|overview|architecture)$/i;

/** The name in a label: its lines without addresses, ports and remarks. */
export function labelName(label: string): Label | undefined {
  let also: string | undefined;
  const lines: string[] = [];
  for (const raw of label.split(/<br *\/?>|\\n|\n/i).slice(0, 6)) {
    const line = decode(raw)
      .replaceAll(/[*_`"]+/g, '')
      .trim();
    const bracket = /^(.*)\(([^()]{2,40})\)$/.exec(line);
    if (/:\/\/|^[\w.-]*:\d{2,5}|^port \d/i.test(line)) continue;
    if (/^(?:listening on|runs on|using|via|e\.g|written in)\b/i.test(line)) break;
    if (bracket) {
      also ??= bracket[2]!.trim();
      if (bracket[1]!.trim() !== '') lines.push(bracket[1]!.trim());
    } else if (line !== '') lines.push(line);
  }
  const words = lines.join(' ').split(/\s+/).filter(Boolean);
  const name = words.length <= 5 ? words.join(' ') : (lines[0] ?? '');
  if (name === '' || name.length > 60 || name.split(/\s+/).length > 6 || !/\p{L}/u.test(name))
    return undefined;
  return { name, also };
}

function decode(text: string): string {
  return text
    .replaceAll(/&?#(\d{2,5});?/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('#quot;', '"')
    .replaceAll(/<\/?[a-z][^<>]{0,80}>/gi, '');
}
