// The shortest path between two entities: along the edges, and where there is none, over edges in either direction.
// Breadth first from the start, hop by hop, each node expanded once, so a dense graph costs its edges and no more.

import { throwIfAborted } from '../../domain/errors.ts';
import type { GraphEdge, GraphReads, GraphScope } from '../../ports/graph-store.ts';

export interface Step {
  source: string;
  target: string;
  type: string;
  /** Whether the edge points the way the path goes. */
  forward: boolean;
  /** Other relations between the same two, in the same direction. */
  alsoTypes: string[];
}

export interface FoundPath {
  steps: Step[];
  directed: boolean;
}

/** Edges read for one hop; a hop that has more is cut, which `limited` tells. */
const MAX_EDGES = 100_000;
const MAX_VISITED = 50_000;
const AT_ONCE = 2000;

export interface PathSearch {
  scope: GraphScope;
  maxDepth: number;
  signal?: AbortSignal | undefined;
}

export async function shortestPath(
  graph: GraphReads,
  [from, to]: [string, string],
  search: PathSearch,
): Promise<FoundPath | undefined> {
  if (from === to) return { steps: [], directed: true };
  for (const directed of [true, false]) {
    const steps = await searchPath(graph, [from, to], { ...search, directed });
    if (steps) return { steps, directed };
  }
  return undefined;
}

async function searchPath(
  graph: GraphReads,
  [from, to]: [string, string],
  search: PathSearch & { directed: boolean },
): Promise<Step[] | undefined> {
  const cameFrom = new Map<string, { node: string; edges: GraphEdge[] }>();
  const visited = new Set([from]);
  let frontier = [from];
  for (let depth = 0; depth < search.maxDepth && frontier.length > 0; depth++) {
    throwIfAborted(search.signal);
    const next = new Set<string>();
    for (let at = 0; at < frontier.length && visited.size < MAX_VISITED; at += AT_ONCE) {
      const part = frontier.slice(at, at + AT_ONCE);
      const edges = await graph.edges(part, search.directed ? 'out' : 'both', {
        scope: search.scope,
        limit: MAX_EDGES,
      });
      for (const [node, reached] of choose(edges, new Set(part), search.directed)) {
        if (visited.has(node)) continue;
        visited.add(node);
        cameFrom.set(node, reached);
        next.add(node);
      }
    }
    if (cameFrom.has(to)) return unwind(cameFrom, from, to);
    frontier = [...next].sort();
  }
  return undefined;
}

/** For each node one hop away: where from, by the smaller relation type, then by name. */
function choose(
  edges: readonly GraphEdge[],
  frontier: ReadonlySet<string>,
  directed: boolean,
): Map<string, { node: string; edges: GraphEdge[] }> {
  const found = new Map<string, { node: string; edges: GraphEdge[] }>();
  const offer = (node: string, to: string, edge: GraphEdge) => {
    const there = found.get(to);
    if (there?.node === node) there.edges.push(edge);
    else if (!there || better([edge, node], [there.edges[0]!, there.node]))
      found.set(to, { node, edges: [edge] });
  };
  for (const edge of edges) {
    if (frontier.has(edge.source) && !frontier.has(edge.target)) offer(edge.source, edge.target, edge);
    if (!directed && frontier.has(edge.target) && !frontier.has(edge.source))
      offer(edge.target, edge.source, edge);
  }
  return found;
}

function better([a, from]: [GraphEdge, string], [b, other]: [GraphEdge, string]): boolean {
  if (a.type !== b.type) return a.type < b.type;
  return from < other;
}

function unwind(
  cameFrom: ReadonlyMap<string, { node: string; edges: GraphEdge[] }>,
  from: string,
  to: string,
): Step[] {
  const steps: Step[] = [];
  for (let at = to; at !== from;) {
    const { node, edges } = cameFrom.get(at)!;
    const chosen = [...edges].sort(
      (a, b) =>
        Number(b.source === node) - Number(a.source === node) ||
        b.mentions - a.mentions ||
        (a.type < b.type ? -1 : 1),
    )[0]!;
    const alsoTypes = edges
      .filter((edge) => edge.source === chosen.source && edge.type !== chosen.type)
      .map((edge) => edge.type);
    steps.unshift({
      source: chosen.source,
      target: chosen.target,
      type: chosen.type,
      forward: chosen.source === node,
      alsoTypes: [...new Set(alsoTypes)].sort(),
    });
    at = node;
  }
  return steps;
}
