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

/** The most connected entities, with the relations between them and how many there are of each type. */
export interface GraphMap {
  totals: { entities: number; relations: number; byType: Record<string, number> };
  entities: { name: string; type: string; relationCount: number }[];
  relations: { source: string; type: string; target: string }[];
}

interface Resolved {
  name: string;
}

export async function loadMap(server: Server, model: GraphModel, limit: number): Promise<GraphMap> {
  const map = await server.admin<GraphMap>('graph-map', { limit });
  // Those without any relation only where there are no others to show.
  const linked = map.entities.filter((entity) => entity.relationCount > 0);
  const shown = linked.length > 0 ? linked : map.entities;
  for (const entity of shown) addEntity(model, entity);
  for (const relation of map.relations) addRelation(model, relation);
  return { ...map, entities: shown };
}

/** Brings in everything one entity is related to; the name it was found under. */
export async function loadEntity(server: Server, model: GraphModel, name: string): Promise<Resolved> {
  const answer = await relations(server, name);
  for (const relation of answer.relations) addRelation(model, relation);
  const hasUntyped = [...model.entities.values()].some((entity) => entity.evidence.length === 0);
  if (hasUntyped) await describe(server, model, answer.resolved.name);
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
  const args = { limit: 30, query: query || undefined };
  return (await server.call<{ entities: Entity[] }>('flowrag_entities', args, { signal })).entities;
}

/** Impact: what is affected when the entity fails. */
export type Direction = 'upstream' | 'downstream' | 'impact';

export interface TraceAnswer {
  resolved: Resolved;
  direction: Direction;
  depthReached: number;
  truncated: boolean;
  nodes: { name: string; type: string; depth: number }[];
  edges: (Omit<Relation, 'description'> & { depth: number })[];
}

export async function loadTrace(
  server: Server,
  model: GraphModel,
  asked: { entity: string; direction: Direction },
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
