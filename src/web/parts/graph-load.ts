// Fetches parts of the graph into the model: an overview first, then what a person asks for.

import type { Server } from '../core/server.ts';
import {
  addEntity,
  addRelation,
  type Drawn,
  type Entity,
  type GraphModel,
  type Relation,
} from './graph-model.ts';

/** Entities asked for, and how many of them the picture begins with; each of these costs one call. */
const ASKED = 200;
const OVERVIEW = 40;
/** With the neighbours of those. */
const MOST = 80;
const AT_ONCE = 4;

export interface GraphStats {
  entities: number;
  relations: number;
  documents: number;
  extractor: string;
  lastIndexedAt: string | null;
}

interface Resolved {
  name: string;
  alsoMatched: string[];
}

export async function loadOverview(server: Server, model: GraphModel): Promise<GraphStats> {
  const [stats, list] = await Promise.all([
    server.call<GraphStats>('flowrag_stats', {}),
    server.call<{ entities: Entity[] }>('flowrag_entities', { limit: ASKED }),
  ]);
  const first = overview(list.entities);
  for (const entity of first) addEntity(model, entity);
  const known = new Map(list.entities.map((entity) => [entity.name, entity]));
  const hubs = first.filter((entity) => entity.relationCount > 0);
  for (let at = 0; at < hubs.length; at += AT_ONCE) {
    const answers = await Promise.all(hubs.slice(at, at + AT_ONCE).map((hub) => relations(server, hub.name)));
    for (const relation of answers.flatMap((answer) => answer.relations)) {
      const fresh = [relation.source, relation.target].filter((name) => !model.entities.has(name));
      // Beyond this a neighbour appears when its entity is opened.
      if (fresh.length > 0 && model.entities.size >= MOST) continue;
      for (const name of fresh) addEntity(model, known.get(name) ?? { name });
      addRelation(model, relation);
    }
  }
  // A neighbour that is rarely mentioned was not in the list; it has a type all the same.
  const unknown = [...model.entities.keys()].filter((name) => !known.has(name));
  for (let at = 0; at < unknown.length; at += AT_ONCE)
    await Promise.all(unknown.slice(at, at + AT_ONCE).map((name) => describe(server, model, name)));
  return stats;
}

/** The most connected entities; those without any relation only where there are no others to show. */
export function overview(entities: readonly Entity[]): Entity[] {
  const linked = entities.filter((entity) => entity.relationCount > 0);
  const order = linked.toSorted((a, b) => b.relationCount - a.relationCount);
  return (order.length > 0 ? order : entities).slice(0, OVERVIEW);
}

/** Brings in everything one entity is related to; the name it was found under. */
export async function loadEntity(server: Server, model: GraphModel, name: string): Promise<Resolved> {
  const answer = await relations(server, name);
  for (const relation of answer.relations) addRelation(model, relation);
  const untyped = [...model.entities.values()].filter((entity) => entity.evidence.length === 0);
  const known = untyped.some((entity) => entity.name === answer.resolved.name);
  if (known || untyped.length > 0) await describe(server, model, answer.resolved.name);
  return answer.resolved;
}

/** Type, description and evidence of an entity and of those that mention it. */
async function describe(server: Server, model: GraphModel, name: string): Promise<void> {
  const { entities } = await server.call<{ entities: Entity[] }>('flowrag_entities', {
    query: name,
    limit: 50,
  });
  for (const entity of entities)
    if (entity.name === name || model.entities.has(entity.name)) addEntity(model, entity);
}

export async function searchEntities(server: Server, query: string, signal: AbortSignal): Promise<Entity[]> {
  const args = { limit: 30, ...(query ? { query } : {}) };
  return (await server.call<{ entities: Entity[] }>('flowrag_entities', args, { signal })).entities;
}

export interface TraceAnswer {
  resolved: Resolved;
  direction: string;
  depthReached: number;
  truncated: boolean;
  nodes: { name: string; type: string; depth: number }[];
  edges: (Omit<Relation, 'description'> & { depth: number })[];
}

export async function loadTrace(
  server: Server,
  model: GraphModel,
  asked: { entity: string; direction: 'upstream' | 'downstream' },
): Promise<TraceAnswer & { drawn: Drawn }> {
  const trace = await server.call<TraceAnswer>('flowrag_trace', asked);
  for (const { name, type } of trace.nodes) addEntity(model, { name, type });
  const edges = trace.edges.map(({ depth: _, ...edge }) => addRelation(model, edge));
  return { ...trace, drawn: { nodes: trace.nodes.map((node) => node.name), edges } };
}

export interface PathAnswer {
  from: Resolved;
  to: Resolved;
  found: boolean;
  directed?: boolean;
  length: number;
  edges: (Omit<Relation, 'description'> & { forward?: boolean; alsoTypes: string[] })[];
  searchedDepth: number;
}

export async function loadPath(
  server: Server,
  model: GraphModel,
  asked: { from: string; to: string },
): Promise<PathAnswer & { drawn: Drawn }> {
  const path = await server.call<PathAnswer>('flowrag_path', { ...asked, maxDepth: 8 });
  const edges = path.edges.map(({ forward: _, alsoTypes: __, ...edge }) => addRelation(model, edge));
  const nodes = [path.from.name, ...path.edges.flatMap((edge) => [edge.source, edge.target]), path.to.name];
  return { ...path, drawn: { nodes: [...new Set(nodes)], edges } };
}

function relations(server: Server, entity: string) {
  return server.call<{ resolved: Resolved; relations: Relation[] }>('flowrag_relations', { entity });
}
