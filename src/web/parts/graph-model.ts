// The part of the graph the page knows so far: it grows with every answer and never shrinks. Pure; drawing is elsewhere.

export interface Evidence {
  citation: string;
}

export interface Entity {
  name: string;
  type: string;
  description: string;
  relationCount: number;
  evidence: Evidence[];
  evidenceTotal: number;
}

export interface Relation {
  source: string;
  type: string;
  target: string;
  description: string;
  evidence: Evidence[];
  evidenceTotal: number;
}

export interface GraphModel {
  entities: Map<string, Entity>;
  relations: Map<string, Relation>;
}

export interface Drawn {
  /** Names of entities to bring forward, in order; the rest steps back. */
  nodes: string[];
  edges: string[];
}

export const createModel = (): GraphModel => ({ entities: new Map(), relations: new Map() });

const relationKey = (one: { source: string; type: string; target: string }): string =>
  JSON.stringify([one.source, one.type, one.target]);

/** What is known already is only replaced by something that says more. */
export function addEntity(model: GraphModel, entity: Partial<Entity> & { name: string }): void {
  const known = model.entities.get(entity.name);
  model.entities.set(entity.name, {
    type: 'OTHER',
    description: '',
    relationCount: 0,
    evidence: [],
    evidenceTotal: 0,
    ...known,
    ...entity,
  });
}

export function addRelation(
  model: GraphModel,
  relation: Partial<Relation> & Pick<Relation, 'source' | 'type' | 'target'>,
): string {
  const key = relationKey(relation);
  const known = model.relations.get(key);
  for (const name of [relation.source, relation.target])
    if (!model.entities.has(name)) addEntity(model, { name });
  model.relations.set(key, {
    description: '',
    evidenceTotal: 0,
    ...known,
    ...relation,
    evidence: relation.evidence?.length ? relation.evidence : (known?.evidence ?? []),
  });
  return key;
}

/** Relations of one entity, outgoing first, as far as they are known. */
export function relationsOf(model: GraphModel, name: string): Relation[] {
  return [...model.relations.values()]
    .filter((one) => one.source === name || one.target === name)
    .sort((a, b) => Number(b.source === name) - Number(a.source === name));
}
