// Upstream and downstream from an entity, breadth first: every node at its true distance, branches kept, cycles safe.

import { compareText } from '../../domain/text.ts';
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
/** Nodes whose edges are read together: a few, because after some hubs there is nothing left to show. */
const AT_ONCE = 25;
const MAX_NODES = 200;
/** More edges than this nobody reads, and an answer has to stay small. */
const MAX_EDGES = 400;

interface TraceOptions {
  direction: 'upstream' | 'downstream';
  scope: GraphScope;
  /** Types whose flow runs from target to source, spelled as they are stored. */
  reverseFlow: readonly string[];
}

export async function traceFlow(graph: GraphReads, start: string, options: TraceOptions): Promise<Flow> {
  const depths = new Map([[start, 0]]);
  const edges: FlowEdge[] = [];
  let frontier = [start];
  let truncated = false;
  for (let depth = 1; frontier.length > 0; depth++) {
    const next: string[] = [];
    for (let at = 0; at < frontier.length; at += AT_ONCE) {
      const room = MAX_EDGES - edges.length;
      // One more than fits tells whether something was left out.
      const steps = await stepsFrom(graph, frontier.slice(at, at + AT_ONCE), { ...options, limit: room + 1 });
      if (steps.length > room) truncated = true;
      for (const { to, edge } of steps.slice(0, room)) {
        // An edge back to where we come from is part of a cycle: shown once, followed never.
        if (!depths.has(to)) {
          if (depth > MAX_DEPTH || depths.size >= MAX_NODES) {
            truncated = true;
            continue;
          }
          depths.set(to, depth);
          next.push(to);
        }
        edges.push({ source: edge.source, target: edge.target, type: edge.type, depth });
      }
      // Beyond the bounds only edges between known nodes could come, at the price of reading every hub among them.
      if (truncated) return { depths, edges, truncated };
    }
    frontier = next;
  }
  return { depths, edges, truncated };
}

/** One edge as the trace goes over it. */
interface Step {
  to: string;
  edge: GraphEdge;
}

/**
 * The edges that lead on from some nodes. Every node is expanded once, so each comes up once. Where there are more than
 * the limit, those said most often are kept; their order is that of their names.
 */
async function stepsFrom(
  graph: GraphReads,
  nodes: readonly string[],
  { direction, scope, reverseFlow, limit }: TraceOptions & { limit: number },
): Promise<Step[]> {
  const [along, against] = direction === 'downstream' ? (['out', 'in'] as const) : (['in', 'out'] as const);
  const read = (way: 'in' | 'out', types: { only: readonly string[] } | { except: readonly string[] }) =>
    graph.edges(nodes, way, { scope, limit, types });
  const follow = await read(along, { except: reverseFlow });
  const back = reverseFlow.length > 0 ? await read(against, { only: reverseFlow }) : [];
  const ends = (way: 'in' | 'out', edge: GraphEdge): Step => ({
    to: way === 'out' ? edge.target : edge.source,
    edge,
  });
  const steps = [...follow.map((edge) => ends(along, edge)), ...back.map((edge) => ends(against, edge))];
  const most = steps.length > limit ? steps.sort((a, b) => byWeight(a.edge, b.edge)).slice(0, limit) : steps;
  return most.sort((a, b) => byNames(a.edge, b.edge));
}

function byWeight(a: GraphEdge, b: GraphEdge): number {
  return b.mentions - a.mentions || compareText(a.type, b.type) || byNames(a, b);
}

function byNames(a: GraphEdge, b: GraphEdge): number {
  return compareText(a.source, b.source) || compareText(a.target, b.target) || compareText(a.type, b.type);
}
