// PlantUML: components, databases, packages around them, arrows, sequences, classes, and C4 by its macros.

import { c4Line } from './c4.ts';
import { connect, emptyDiagram, nodeOf, type Diagram, type DiagramNode } from './diagram.ts';
import { classLine, unquote } from './mermaid.ts';

const SHAPES: Record<string, DiagramNode['shape']> = {
  database: 'database',
  collections: 'database',
  storage: 'database',
  queue: 'queue',
  actor: 'person',
  person: 'person',
};
const BOX =
  /^(?:component|database|queue|node|rectangle|participant|actor|interface|entity|collections|cloud|class|agent|artifact|boundary|card|control|file|folder|frame|hexagon|package|person|process|stack|storage|usecase|abstract|enum)\b/;
const NAME = /^(?:"([^"]{1,100})"|\[([^\]]{1,100})\]|\(([^)]{1,100})\)|([^\s"[\](){}<>:#]{1,80}))/;

export function readPlantUml(lines: readonly string[], start: number): Diagram {
  const diagram = emptyDiagram();
  const groups: string[] = [];
  lines.forEach((raw, index) => {
    const line = start + index;
    if (
      raw === '' ||
      /^(?:@|'|!|skinparam|title|note|end|hide|left|top|legend|header|footer|scale)/.test(raw)
    )
      return;
    if (c4Line(diagram, groups, raw, line)) return;
    if (declared(diagram, groups, raw, line)) return;
    arrow(diagram, groups, raw, line);
  });
  return diagram;
}

function declared(diagram: Diagram, groups: string[], raw: string, line: number): boolean {
  const kind = BOX.exec(raw)?.[0];
  const bare = kind === undefined && raw.startsWith('[');
  if (kind === undefined && !bare) return false;
  let rest = kind === undefined ? raw : raw.slice(kind.length).trim();
  if (kind === 'abstract') rest = rest.replace(/^class /, '');
  const shown = nameOf(rest);
  if (!shown) return false;
  rest = rest.slice(shown.length).trim();
  const other = rest.startsWith('as ') ? nameOf(rest.slice(3).trim()) : undefined;
  if (bare && !other && rest !== '' && !rest.startsWith('#') && !rest.startsWith('<<')) return false;
  // `component A as "Auth Service"` and `component "Auth Service" as A` mean the same.
  const [id, label] = other
    ? other.quoted
      ? [shown.name, other.name]
      : [other.name, shown.name]
    : [shown.name, shown.name];
  if (raw.endsWith('{') && !/^(?:class|entity|interface|enum|abstract)$/.test(kind ?? '')) {
    diagram.groups.set(id, { label, line, group: groups.at(-1) });
    groups.push(id);
    return true;
  }
  nodeOf(diagram, id, { label, shape: SHAPES[kind ?? ''] ?? 'plain', line, group: groups.at(-1) });
  return true;
}

function nameOf(text: string): { name: string; length: number; quoted: boolean } | undefined {
  const found = NAME.exec(text);
  if (!found) return undefined;
  const name = found[1] ?? found[2] ?? found[3] ?? found[4]!;
  return { name: name.replaceAll('\\n', ' '), length: found[0].length, quoted: found[1] !== undefined };
}

/** `[A] --> B : text`, `A <.. B`, `A -[#red]-> B`, `A -> B : call`. */
function arrow(diagram: Diagram, groups: string[], raw: string, line: number): void {
  const left = nameOf(raw);
  if (!left) return;
  const rest = raw.slice(left.length).trimStart();
  const link =
    /^[<|*o]{0,3}[-.=]{1,6}(?:\[[^\]]{0,40}\])?(?:left|right|up|down|[lrud])?[-.=]{0,6}[>|*o]{0,3}/.exec(
      rest,
    )?.[0];
  if (link === undefined) return;
  if (/\||\*|^o|o$/.test(link)) {
    classLine(diagram, `${left.name.replaceAll(' ', '_')} ${rest}`, line);
    return;
  }
  const behind = rest.slice(link.length).trimStart();
  const right = nameOf(behind);
  if (!right || right.name === left.name) return;
  const tail = behind.slice(right.length).trim();
  const label = tail.startsWith(':') ? unquote(tail.slice(1)).slice(0, 120) : undefined;
  const pointed = link.includes('>') || link.includes('<');
  // In a sequence a dashed arrow is the answer to a call.
  if (/^--+>+$/.test(link) && label !== undefined && isSequence(diagram)) return;
  const turned = link.startsWith('<') && !link.endsWith('>');
  const [from, to] = turned ? [right.name, left.name] : [left.name, right.name];
  connect(diagram, { from, to, label, line, meaning: pointed ? 'arrow' : 'line' }, groups.at(-1));
}

/** Calls are drawn with one dash. */
function isSequence(diagram: Diagram): boolean {
  return diagram.edges.length > 0 && diagram.groups.size === 0;
}
