// Upstream and downstream from an entity, breadth first: every node at its true distance, branches kept, cycles safe.

import type { GraphEdge, GraphReads, GraphScope } from '../../ports/graph-store.ts';

export interface FlowEdge {
  source: string;
  target: string;
  type: string;
  depth: number;
}

export interface Flow {
  /** Key of each node and its distance. */
  depths: Map<string, number>;
  edges: FlowEdge[];
  truncated: boolean;
}

const MAX_DEPTH = 10;
const AT_ONCE = 25;
const MAX_NODES = 200;
const MAX_EDGES = 2000;
/** More edges than this nobody reads, and an answer has to stay small. */
const MAX_SHOWN = 400;

export async function traceFlow(
  graph: GraphReads,
  start: string,
  options: { direction: 'upstream' | 'downstream'; scope: GraphScope; reverseFlow: readonly string[] },
): Promise<Flow> {
  const reverse = new Set(options.reverseFlow.map((type) => type.toUpperCase()));
  const depths = new Map([[start, 0]]);
  const edges: FlowEdge[] = [];
  let frontier = [start];
  let truncated = false;
  for (let depth = 1; frontier.length > 0; depth++) {
    const here = new Set(frontier);
    const next = new Set<string>();
    for (const edge of await edgesOf(graph, frontier, options.scope, () => (truncated = true))) {
      const flows = reverse.has(edge.type.toUpperCase())
        ? [edge.target, edge.source]
        : [edge.source, edge.target];
      const [from, to] = options.direction === 'downstream' ? flows : [flows[1]!, flows[0]!];
      if (!here.has(from!)) continue;
      const known = depths.get(to!);
      // An edge back to where we come from is part of a cycle: shown once, followed never.
      if (
        edges.length >= MAX_SHOWN ||
        (known === undefined && (depth > MAX_DEPTH || depths.size >= MAX_NODES))
      ) {
        truncated = true;
        continue;
      }
      edges.push({ source: edge.source, target: edge.target, type: edge.type, depth });
      if (known === undefined) {
        depths.set(to!, depth);
        next.add(to!);
      }
    }
    frontier = [...next];
  }
  return { depths, edges: unique(edges), truncated };
}

/** Edges of the frontier in a fixed order, read a few nodes at a time until there are more than can be shown. */
async function edgesOf(
  graph: GraphReads,
  frontier: readonly string[],
  scope: GraphScope,
  cut: () => void,
): Promise<GraphEdge[]> {
  const found: GraphEdge[] = [];
  for (let at = 0; at < frontier.length; at += AT_ONCE) {
    if (found.length >= MAX_EDGES) {
      cut();
      break;
    }
    const part = frontier.slice(at, at + AT_ONCE);
    const some = await graph.edges(part, 'both', { scope, limit: MAX_EDGES });
    if (some.length >= MAX_EDGES) cut();
    found.push(...[...some].sort(byNames));
  }
  return found;
}

function byNames(a: { source: string; target: string; type: string }, b: typeof a): number {
  return compare(a.source, b.source) || compare(a.target, b.target) || compare(a.type, b.type);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function unique(edges: readonly FlowEdge[]): FlowEdge[] {
  const seen = new Set<string>();
  return edges.filter((edge) => {
    const id = `${edge.source}\n${edge.target}\n${edge.type}`;
    return !seen.has(id) && seen.add(id);
  });
}
