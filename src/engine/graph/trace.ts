// Upstream and downstream from an entity, and what fails with it, breadth first: every node at its true distance,
// branches kept, cycles safe.

import { OTHER_TYPE } from '../../domain/graph.ts';
import { inGroups } from '../../domain/few-at-a-time.ts';
import { compareText } from '../../domain/text.ts';
import type { EdgeOptions, GraphEdge, GraphReads, GraphScope } from '../../ports/graph-store.ts';

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
  /** What an impact reaches and does not go beyond. */
  hubs: string[];
}

const MAX_DEPTH = 10;
/** Nodes whose edges are read together: a few, because after some hubs there is nothing left to show. */
const AT_ONCE = 25;
const MAX_NODES = 200;
/** More edges than this nobody reads, and an answer has to stay small. */
const MAX_EDGES = 400;

/** Where so many need a thing, it is the whole system or a word that every page uses: they do not all fail with one part. */
const HUB = 20;

/** An impact that affects this many takes no further step: beyond them hardly anything stated is still a consequence. */
const MANY_AFFECTED = 50;

type Types = NonNullable<EdgeOptions['types']>;

export const TRACE_DIRECTIONS = ['upstream', 'downstream', 'impact'] as const;
export type TraceDirection = (typeof TRACE_DIRECTIONS)[number];

/** Who owns something neither feeds it nor needs it. */
const OWNERSHIP =
  /^(?:IS_|ARE_)?(?:OWN|OWNS|OWNED|OWNED_BY|MAINTAINS?|MAINTAINED_BY|MANAGES|MANAGED_BY|RESPONSIBLE_FOR)$/i;
/** What the target gets from the source or is part of it: it fails with the source. Elsewhere the source needs the target. */
const GIVES =
  /^(?:PRODUCES?|PUBLISHES|PUBLISH|EMITS?|SENDS?|WRITES?|TRIGGERS?|PROVIDES?|EXPOSES?|CONTAINS?|DEFINES?|RUNS|HOSTS)$/i;

/** What is part of something fails with it, but nothing flows between the two. */
const HOLDS = /^(?:CONTAINS?|DEFINES?)$/i;

interface TraceOptions {
  direction: TraceDirection;
  scope: GraphScope;
  /** Types there may be, and those whose flow runs from target to source, spelled as they are stored. */
  types: readonly string[];
  reverseFlow: readonly string[];
}

/** Which relations lead on along their arrow, and which against it. */
function ways({ direction, types, reverseFlow }: Omit<TraceOptions, 'scope'>): Record<'in' | 'out', Types> {
  const owning = types.filter((type) => OWNERSHIP.test(type));
  if (direction === 'impact') {
    const giving = types.filter((type) => GIVES.test(type));
    // What no type of the schema tells says nothing of who needs whom.
    return { out: { only: giving }, in: { except: [...giving, ...owning, OTHER_TYPE] } };
  }
  const straight = { except: [...reverseFlow, ...owning, ...types.filter((type) => HOLDS.test(type))] };
  const reverse = { only: reverseFlow };
  return direction === 'downstream' ? { out: straight, in: reverse } : { out: reverse, in: straight };
}

export async function traceFlow(graph: GraphReads, start: string, options: TraceOptions): Promise<Flow> {
  const depths = new Map([[start, 0]]);
  const edges: FlowEdge[] = [];
  const hubs: string[] = [];
  let frontier = [start];
  let truncated = false;
  for (let depth = 1; frontier.length > 0; depth++) {
    const next: string[] = [];
    const most = options.direction === 'impact' && depths.size > MANY_AFFECTED ? depths.size : MAX_NODES;
    for (const batch of inGroups(frontier, AT_ONCE)) {
      const room = MAX_EDGES - edges.length;
      // One more than fits tells whether something was left out.
      const all = await stepsFrom(graph, batch, { ...options, limit: room + 1 });
      const steps = options.direction === 'impact' && depth > 1 ? withoutHubs(all, hubs) : all;
      if (steps.length > room) truncated = true;
      for (const { to, edge } of steps.slice(0, room)) {
        // An edge back to where we come from is part of a cycle: shown once, followed never.
        if (!depths.has(to)) {
          if (depth > MAX_DEPTH || depths.size >= most) {
            truncated = true;
            continue;
          }
          depths.set(to, depth);
          next.push(to);
        }
        edges.push({ source: edge.source, target: edge.target, type: edge.type, depth });
      }
      // Beyond the bounds only edges between known nodes could come, at the price of reading every hub among them.
      if (truncated) return { depths, edges, truncated, hubs };
    }
    frontier = next;
  }
  return { depths, edges, truncated, hubs };
}

/** Leaves out what leads on from hubs, and names them. */
function withoutHubs(steps: readonly Step[], hubs: string[]): Step[] {
  const bySource = Map.groupBy(steps, ({ from }) => from);
  return [...bySource].flatMap(([from, list]) => {
    if (list.length <= HUB) return list;
    hubs.push(from);
    return [];
  });
}

/** One edge as the trace goes over it. */
interface Step {
  from: string;
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
  options: TraceOptions & { limit: number },
): Promise<Step[]> {
  const { scope, limit } = options;
  const types = ways(options);
  const read = (way: 'in' | 'out') =>
    'only' in types[way] && types[way].only.length === 0
      ? []
      : graph.edges(nodes, way, { scope, limit, types: types[way] });
  const follow = await read('out');
  const back = await read('in');
  const ends = (way: 'in' | 'out', edge: GraphEdge): Step => ({
    from: way === 'out' ? edge.source : edge.target,
    to: way === 'out' ? edge.target : edge.source,
    edge,
  });
  const steps = [...follow.map((edge) => ends('out', edge)), ...back.map((edge) => ends('in', edge))];
  const most = steps.length > limit ? steps.sort((a, b) => byWeight(a.edge, b.edge)).slice(0, limit) : steps;
  return most.sort((a, b) => byNames(a.edge, b.edge));
}

function byWeight(a: GraphEdge, b: GraphEdge): number {
  return b.mentions - a.mentions || compareText(a.type, b.type) || byNames(a, b);
}

function byNames(a: GraphEdge, b: GraphEdge): number {
  return compareText(a.source, b.source) || compareText(a.target, b.target) || compareText(a.type, b.type);
}
