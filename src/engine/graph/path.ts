// The shortest path between two entities: along the edges, and where there is none, over edges in either direction.
// Breadth first from both ends, the smaller side first, each node expanded once: two short searches that meet cost far
// less than one long one, above all where some nodes have thousands of edges.

import { throwIfAborted } from '../../domain/errors.ts';
import { inGroups } from '../../domain/few-at-a-time.ts';
import { compareText } from '../../domain/text.ts';
import type { GraphEdge, GraphReads, GraphScope } from '../../ports/graph-store.ts';
import { TOGETHER } from './together.ts';

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

/** Edges read for one hop and nodes reached from one side: beyond these a search gives up on going further. */
const MAX_EDGES = 100_000;
const MAX_REACHED = 50_000;
const AT_ONCE = 2000;

export interface PathSearch {
  scope: GraphScope;
  maxDepth: number;
  signal?: AbortSignal | undefined;
}

export async function shortestPath(
  graph: Pick<GraphReads, 'edges'>,
  [from, to]: [string, string],
  search: PathSearch,
): Promise<FoundPath | undefined> {
  if (from === to) return { steps: [], directed: true };
  for (const directed of [true, false]) {
    const steps = await meet(graph, [from, to], { ...search, directed });
    if (steps) return { steps, directed };
  }
  return undefined;
}

/** What has been reached from one end. */
interface Side {
  /** The way its edges are followed when the path is walked from start to end. */
  ahead: boolean;
  reached: Set<string>;
  frontier: Set<string>;
  /** Edges that led to each node for the first time, all of them: several paths may be equally short. */
  led: Map<string, Hop[]>;
}

/** One edge as the path uses it: from `at` to `next`. */
interface Hop {
  at: string;
  next: string;
  edge: GraphEdge;
}

async function meet(
  graph: Pick<GraphReads, 'edges'>,
  [from, to]: [string, string],
  search: PathSearch & { directed: boolean },
): Promise<Step[] | undefined> {
  const start: Side = { ahead: true, reached: new Set([from]), frontier: new Set([from]), led: new Map() };
  const end: Side = { ahead: false, reached: new Set([to]), frontier: new Set([to]), led: new Map() };
  for (let depth = 0; depth < search.maxDepth; depth++) {
    throwIfAborted(search.signal);
    const side = start.frontier.size <= end.frontier.size ? start : end;
    const other = side === start ? end : start;
    if (side.frontier.size === 0 || side.reached.size > MAX_REACHED) return undefined;
    await expand(graph, side, { ...search, goal: other.frontier });
    // Every level is whole, so the first nodes both sides know lie on the shortest paths, all of them.
    const met = [...side.frontier].filter((node) => other.frontier.has(node));
    if (met.length > 0) return unwind([start, end], met, from);
  }
  return undefined;
}

async function expand(
  graph: Pick<GraphReads, 'edges'>,
  side: Side,
  search: PathSearch & { directed: boolean; goal: ReadonlySet<string> },
): Promise<void> {
  const nodes = [...side.frontier].slice(0, MAX_REACHED);
  const direction = search.directed ? (side.ahead ? 'out' : 'in') : 'both';
  const edges: GraphEdge[][] = [];
  for (const part of inGroups(nodes, AT_ONCE))
    edges.push(await graph.edges(part, direction, { scope: search.scope, limit: MAX_EDGES }));
  const next = new Map<string, Hop[]>();
  const reach = (known: string, fresh: string, edge: GraphEdge) => {
    if (!side.frontier.has(known) || side.reached.has(fresh)) return;
    const hop = side.ahead ? { at: known, next: fresh, edge } : { at: fresh, next: known, edge };
    const there = next.get(fresh);
    if (there) there.push(hop);
    else next.set(fresh, [hop]);
  };
  const follow = (wanted: (node: string) => boolean) => {
    for (const edge of edges.flat()) {
      if ((!search.directed || side.ahead) && wanted(edge.target)) reach(edge.source, edge.target, edge);
      if ((!search.directed || !side.ahead) && wanted(edge.source)) reach(edge.target, edge.source, edge);
    }
  };
  // Where the sides meet, nothing else of this level matters; a hub's other edges need not be kept.
  follow((node) => search.goal.has(node));
  if (next.size === 0) follow(() => true);
  for (const [node, hops] of next) {
    side.reached.add(node);
    side.led.set(node, hops);
  }
  side.frontier = new Set(next.keys());
}

/** Of all shortest paths the one with the smaller relation types, then names, step by step. */
function unwind([start, end]: [Side, Side], met: readonly string[], from: string): Step[] {
  const onward = new Map<string, Hop[]>();
  const collect = (side: Side) => {
    let level = new Set(met);
    while (level.size > 0) {
      const further = new Set<string>();
      for (const node of level)
        for (const hop of side.led.get(node) ?? []) {
          const there = onward.get(hop.at);
          if (there) there.push(hop);
          else onward.set(hop.at, [hop]);
          further.add(side.ahead ? hop.at : hop.next);
        }
      level = further;
    }
  };
  collect(start);
  collect(end);
  const steps: Step[] = [];
  for (let at = from, hops = onward.get(at); hops; hops = onward.get(at)) {
    const { next } = [...hops].sort(byType)[0]!;
    steps.push(
      stepOf(
        at,
        hops.filter((hop) => hop.next === next).map((hop) => hop.edge),
      ),
    );
    at = next;
  }
  return steps;
}

function byType(a: Hop, b: Hop): number {
  return compareTypes(a.edge, b.edge) || compareText(a.next, b.next);
}

/** What is only mentioned together comes after everything that is stated. */
function compareTypes(a: GraphEdge, b: GraphEdge): number {
  return unstated(a) - unstated(b) || compareText(a.type, b.type);
}

function unstated({ type }: GraphEdge): number {
  return Number(type === TOGETHER);
}

/** Between two nodes the edge along the path with most evidence; the others of its direction are named. */
function stepOf(at: string, edges: readonly GraphEdge[]): Step {
  const along = (edge: GraphEdge) => Number(edge.source === at);
  const [chosen] = [...edges].sort(
    (a, b) =>
      unstated(a) - unstated(b) ||
      along(b) - along(a) ||
      b.mentions - a.mentions ||
      compareText(a.type, b.type),
  );
  const { source, target, type } = chosen!;
  const others = edges
    .filter((edge) => edge.source === source && edge.type !== type && edge.type !== TOGETHER)
    .map((edge) => edge.type);
  return { source, target, type, forward: source === at, alsoTypes: [...new Set(others)].sort() };
}
