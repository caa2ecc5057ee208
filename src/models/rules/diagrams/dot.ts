// Graphviz: `a -> b [label="calls"]`, `a [label="A"]`, clusters.

import { connect, emptyDiagram, nodeOf, type Diagram } from './diagram.ts';
import { unquote } from './mermaid.ts';

export function readDot(lines: readonly string[], start: number): Diagram {
  const diagram = emptyDiagram();
  const groups: (string | undefined)[] = [];
  lines.forEach((raw, index) => {
    const line = start + index;
    const text = raw.replace(/;$/, '');
    const cluster = /^subgraph +"?([\w-]{0,60})"? *\{/.exec(text)?.[1];
    if (cluster !== undefined) {
      diagram.groups.set(cluster, { label: cluster, line, group: groups.at(-1) });
      groups.push(cluster);
      return;
    }
    if (text.endsWith('{')) {
      groups.push(undefined);
      return;
    }
    if (text === '}') {
      groups.pop();
      return;
    }
    const bracket = text.indexOf('[');
    const head = (bracket === -1 ? text : text.slice(0, bracket)).trim();
    const label =
      bracket === -1
        ? undefined
        : /\blabel *= *(?:"([^"]{1,120})"|([\w.-]{1,60}))/.exec(text.slice(bracket))?.slice(1).find(Boolean);
    const own = /^label *= *"([^"]{1,80})"/.exec(text)?.[1];
    const group = groups.findLast((one) => one !== undefined);
    if (own !== undefined && group !== undefined) {
      diagram.groups.get(group)!.label = own;
      return;
    }
    const ends = head.split('->').map((end) => unquote(end.trim()));
    if (
      ends.some((end) => end === '' || end.length > 60 || end.includes('=')) ||
      /^(?:node|edge|graph)$/.test(ends[0]!)
    )
      return;
    if (ends.length === 1) nodeOf(diagram, ends[0]!, { label, line, group });
    for (let at = 1; at < ends.length; at++)
      connect(diagram, { from: ends[at - 1]!, to: ends[at]!, label, line, meaning: 'arrow' }, group);
  });
  return diagram;
}
