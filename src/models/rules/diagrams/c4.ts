// C4 drawings, in Mermaid and in PlantUML: people, systems, containers, boundaries and relations as calls.

import { args } from './cursor.ts';
import { emptyDiagram, nodeOf, type Diagram, type DiagramNode } from './diagram.ts';

const ELEMENT = /^(Person|System|Container|Component|Deployment_Node|Node)(Db|Queue)?(_Ext)?(_L|_R)?\(/;
const BOUNDARY = /^(?:Enterprise_|System_|Container_)?Boundary\(|^(?:Deployment_)?Node(?:_L|_R)?\(.*\{$/;
const RELATION = /^(Bi)?Rel(?:_(?:Back|Neighbor|[UDLR]|Up|Down|Left|Right))?\(/;

export function readC4(lines: readonly string[], start: number): Diagram {
  const diagram = emptyDiagram();
  const groups: string[] = [];
  lines.forEach((raw, index) => c4Line(diagram, groups, raw, start + index));
  return diagram;
}

/** False where the line is no C4 call. */
export function c4Line(diagram: Diagram, groups: string[], raw: string, line: number): boolean {
  if (raw === '}') {
    groups.pop();
    return true;
  }
  const given = args(raw.slice(raw.indexOf('(') + 1));
  const [id = '', second, third, fourth] = given;
  if (BOUNDARY.test(raw)) {
    diagram.groups.set(id, { label: second ?? id, line, group: groups.at(-1) });
    groups.push(id);
    return true;
  }
  const relation = RELATION.exec(raw);
  if (relation) {
    if (second === undefined) return true;
    const [from, to] = raw.startsWith('Rel_Back') ? [second, id] : [id, second];
    diagram.edges.push({
      from,
      to,
      label: [third, fourth].filter(Boolean).join(' ') || undefined,
      line,
      meaning: 'arrow',
    });
    return true;
  }
  const element = ELEMENT.exec(raw);
  if (!element || id === '') return false;
  const shape: DiagramNode['shape'] =
    element[2] === 'Db'
      ? 'database'
      : element[2] === 'Queue'
        ? 'queue'
        : element[1] === 'Person'
          ? 'person'
          : 'plain';
  nodeOf(diagram, id, { label: second ?? id, shape, line, group: groups.at(-1) });
  return true;
}
