// The engine group `graph`: a folder kept in step, and the questions one asks of a knowledge graph. Every answer carries
// its evidence.

import { VaiError } from '../../domain/errors.ts';
import { OTHER_TYPE, relationId, type Entity, type GraphSchema } from '../../domain/graph.ts';
import { CODE_ENTITY_TYPES, CODE_RELATION_TYPES } from '../../domain/symbols.ts';
import type { EntityLabel, EntityQuery } from '../../ports/graph-store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import type { IndexReport } from '../index/types.ts';
import { versionFields } from '../project/docs-version.ts';
import type { Search } from '../search/search.ts';
import { buildGraph } from './build.ts';
import { contribute, typeAmong, type Contribution } from './contribute.ts';
import { indexFolder } from './folder.ts';
import { evidenceOfEdges, evidenceOfEntities, evidenceOfRelations } from './evidence.ts';
import { formatGraph, type ExportFormat } from './export.ts';
import { graphMap, type GraphMap } from './map.ts';
import { shortestPath } from './path.ts';
import { EMPTY_GRAPH, resolveEntity } from './resolve.ts';
import { searchGraph } from './search.ts';
import type { GraphSettings } from '../../domain/graph-settings.ts';
import { graphStats } from './stats.ts';
import { edgesTogether, TOGETHER, withTogether } from './together.ts';
import { traceFlow, type FlowEdge, type TraceDirection } from './trace.ts';
import type {
  Contributed,
  EntityList,
  GraphSearchMode,
  GraphSearchResult,
  GraphStats,
  Path,
  RelationList,
  Trace,
} from './types.ts';
import { ofVersionView, openView, refuseMismatch, type Place, type View } from './view.ts';
import { watchPaths, type Watching } from '../watch.ts';

const MAX_RELATIONS = 100;
const MAX_EXPORT = 100_000;
const NOTHING_STATED = `Nothing is stated about it; ${TOGETHER} shows what is mentioned together with it.`;
const notFollowed = (hubs: readonly string[]): string[] =>
  hubs.length === 0
    ? []
    : [`Not followed beyond ${hubs.slice(0, 5).join(', ')}: so much needs it that one failure says little.`];
const NO_STATED_PATH = `No stated relations connect the two; ${TOGETHER} shows what is mentioned together.`;

export interface Graph {
  readonly settings: GraphSettings;
  schema(): GraphSchema & { fallbackType: string };
  index(call: Call, request: { force?: boolean }): Promise<IndexReport>;
  /** Indexes now and after every change of the folder, until stopped. */
  watch(call: Call, report: (report: IndexReport | VaiError) => void): Promise<Watching>;
  build(call: Call, request: { collection: string; db?: string }): Promise<IndexReport>;
  search(
    call: Call,
    request: {
      query: string;
      mode: GraphSearchMode;
      limit: number;
      minRelevance?: number;
      version?: string;
    } & Place,
  ): Promise<GraphSearchResult>;
  entities(
    call: Call,
    request: { type?: string; query?: string; limit: number } & Place,
  ): Promise<EntityList>;
  relations(
    call: Call,
    request: {
      entity: string;
      direction: 'in' | 'out' | 'both';
      type?: string | undefined;
      minConfidence?: number | undefined;
    } & Place,
  ): Promise<RelationList>;
  trace(call: Call, request: { entity: string; direction: TraceDirection } & Place): Promise<Trace>;
  path(call: Call, request: { from: string; to: string; maxDepth: number } & Place): Promise<Path>;
  /** Keeps what an agent states of the documents, each statement with the lines that say so. */
  contribute(call: Call, request: Contribution & Place): Promise<Contributed>;
  stats(call: Call, place?: Place): Promise<GraphStats>;
  /** The most connected entities with the relations between them, for a picture. */
  map(call: Call, request: { limit: number } & Place): Promise<GraphMap>;
  export(call: Call, request: { format: ExportFormat } & Place): Promise<string>;
}

export function createGraph(deps: EngineDeps, parts: { search: Pick<Search, 'rank'> }): Graph {
  const settings = deps.settings.graph;
  const open = (call: Call, place: Place = {}) => openView(deps, settings, call, place);
  return {
    settings,
    schema: () => ({ ...settings.schema, fallbackType: OTHER_TYPE }),
    index: (call, { force }) => indexFolder(deps, settings, call, force ?? false),
    async watch(call, report) {
      const { docs } = settings;
      if (docs === undefined)
        throw new VaiError('CONFIG_MISSING', 'No folder of documents is configured.', {
          hint: 'Set `docs` or --docs.',
        });
      return watchPaths({
        paths: () => [docs],
        call,
        report,
        run: () => indexFolder(deps, settings, call, false),
      });
    },
    build: (call, request) => buildGraph(deps, settings, call, request),
    async search(call, { query, mode, limit, minRelevance, version, ...place }) {
      const view = await open(call, place);
      const asked = version === undefined ? view : await ofVersionView(view, call, version);
      refuseMismatch(settings, view);
      const { store, collections, scope } = asked;
      const found = await searchGraph({
        deps,
        search: parts.search,
        store,
        call,
        collections,
        scope,
        query,
        mode,
        limit,
        minRelevance,
      });
      const empty = view.collections.every((one) => one.stats.documents === 0);
      const hint = empty ? ['Nothing is indexed yet: call flowrag_index first.'] : [];
      const project = view.project ? { scope: view.project } : {};
      const versions = await versionFields(deps, collections);
      const results = found.results.map((one) => ({ ...one, ...versions(one.collection) }));
      return { ...found, ...project, results, warnings: [...hint, ...asked.warnings, ...found.warnings] };
    },
    async entities(call, { type, query, limit, ...place }) {
      const view = await open(call, place);
      const known = [...new Set([...settings.schema.entityTypes, OTHER_TYPE, ...CODE_ENTITY_TYPES])];
      const wanted = type === undefined ? undefined : typeAmong(known, type);
      if (type !== undefined && wanted === undefined) {
        const warning = `There is no entity type ${type.slice(0, 60)}; the types are ${known.join(', ')}.`;
        return { total: 0, truncated: false, entities: [], warnings: [...view.warnings, warning] };
      }
      const filter = { type: wanted, query: query?.trim() || undefined };
      const { total, entities, warnings } = await listed(view, { scope: view.scope, limit, ...filter });
      const empty = total === 0 && (await view.store.graph.counts(view.scope)).entities === 0;
      const evidence = await evidenceOfEntities(
        view.store.graph,
        entities.map((entity) => entity.key),
        view.scope,
      );
      return {
        total,
        truncated: total > entities.length,
        entities: entities.map((entity) => ({
          name: entity.name,
          type: entity.type,
          description: entity.description,
          fields: entity.fields,
          aliases: entity.aliases,
          relationCount: entity.relations,
          by: entity.by,
          ...evidence(entity.key),
        })),
        warnings: [...view.warnings, ...warnings, ...(empty ? [EMPTY_GRAPH] : [])],
      };
    },
    async relations(call, { entity: input, direction, type, minConfidence, ...place }) {
      const view = await open(call, place);
      const { graph } = view.store;
      const { entity, resolved } = await resolveEntity(graph, input, view.scope);
      const { total, relations } = await graph.relations([entity.key], direction, {
        scope: view.scope,
        limit: MAX_RELATIONS,
        ...(type === undefined ? {} : { types: { only: [relationType(settings.schema, type)] } }),
        minConfidence,
      });
      if (entity.relations === 0 && type === undefined && minConfidence === undefined)
        return { resolved, ...(await onlyTogether(view, entity)) };
      const evidence = await evidenceOfRelations(
        graph,
        relations.map((relation) => relation.id),
        view.scope,
      );
      return {
        resolved,
        total,
        truncated: total > relations.length,
        relations: relations.map((relation) => ({
          stated: true,
          source: relation.source.name,
          type: relation.type,
          target: relation.target.name,
          direction: relation.source.key === entity.key ? ('out' as const) : ('in' as const),
          confidence: relation.confidence,
          by: relation.by,
          description: relation.description,
          keywords: relation.keywords,
          fields: relation.fields,
          ...evidence(relation.id),
        })),
        warnings: view.warnings,
      };
    },
    async trace(call, { entity: input, direction, ...place }) {
      const view = await open(call, place);
      const { graph } = view.store;
      const { entity, resolved } = await resolveEntity(graph, input, view.scope);
      const flow = await traceFlow(graph, entity.key, {
        direction,
        scope: view.scope,
        types: [...new Set([...settings.schema.relationTypes, ...CODE_RELATION_TYPES, 'OWNS'])],
        reverseFlow: reverseTypes(settings.schema),
      });
      const unstated = entity.relations === 0 ? await edgesTogether(graph, entity.key, view.scope) : [];
      for (const { edge } of unstated) flow.depths.set(edge.target, 1);
      const names = await namesOf(view, [...flow.depths.keys()]);
      const evidence = await evidenceOfEdges(graph, flow.edges, view.scope);
      const shown = (edge: FlowEdge) => ({
        source: names(edge.source).name,
        type: edge.type,
        target: names(edge.target).name,
        depth: edge.depth,
        stated: edge.type !== TOGETHER,
      });
      return {
        resolved,
        direction,
        depthReached: Math.max(...flow.depths.values()),
        truncated: flow.truncated,
        nodes: [...flow.depths].map(([key, depth]) => ({ ...names(key), depth })),
        edges: [
          ...flow.edges.map((edge) => ({ ...shown(edge), ...evidence(edge) })),
          ...unstated.map((one) => ({ ...shown({ ...one.edge, depth: 1 }), ...one.evidence })),
        ],
        warnings: [
          ...view.warnings,
          ...(unstated.length > 0 ? [NOTHING_STATED] : []),
          ...notFollowed(flow.hubs.map((key) => names(key).name)),
        ],
      };
    },
    async path(call, { from, to, maxDepth, ...place }) {
      const view = await open(call, place);
      const { graph } = view.store;
      const start = await resolveEntity(graph, from, view.scope);
      const end = await resolveEntity(graph, to, view.scope);
      const ends: [string, string] = [start.entity.key, end.entity.key];
      const search = { scope: view.scope, maxDepth, signal: call.signal };
      const stated = await shortestPath(graph, ends, search);
      const { walk, evidence: together } = withTogether(graph, view.scope, ends);
      const found =
        stated ?? (await shortestPath(walk, ends, { ...search, maxDepth: Math.min(maxDepth, 3) }));
      const steps = found?.steps ?? [];
      const names = await namesOf(
        view,
        steps.flatMap((step) => [step.source, step.target]),
      );
      const evidence = await evidenceOfEdges(graph, steps, view.scope);
      return {
        from: start.resolved,
        to: end.resolved,
        found: found !== undefined,
        directed: found?.directed ?? false,
        length: steps.length,
        edges: steps.map((step) => ({
          ...step,
          source: names(step.source).name,
          target: names(step.target).name,
          stated: step.type !== TOGETHER,
          ...(together.get(relationId(step)) ?? evidence(step)),
        })),
        searchedDepth: maxDepth,
        warnings: [...view.warnings, ...(found && !stated ? [NO_STATED_PATH] : [])],
      };
    },
    async contribute(call, { entities, relations, remove, ...place }) {
      return contribute(await open(call, place), settings.schema, call, { entities, relations, remove });
    },
    async stats(call, place) {
      const view = await open(call, place);
      const limited = call.principal.collections !== '*';
      return graphStats(view.store, settings, { ...view, limited });
    },
    async map(call, { limit, ...place }) {
      const { store, scope } = await open(call, place);
      return graphMap(store, scope, limit);
    },
    async export(call, { format, ...place }) {
      const view = await open(call, place);
      const { graph } = view.store;
      const { entities } = await graph.entities({ scope: view.scope, limit: MAX_EXPORT });
      const { relations } = await graph.relations(
        entities.map((entity) => entity.key),
        'out',
        { scope: view.scope, limit: MAX_EXPORT },
      );
      const keys = entities.map((entity) => entity.key);
      const ofEntity = await evidenceOfEntities(graph, keys, view.scope);
      const ids = relations.map((relation) => relation.id);
      const ofRelation = await evidenceOfRelations(graph, ids, view.scope);
      const data = {
        entities: entities.map((entity) => ({ ...entity, ...ofEntity(entity.key) })),
        relations: relations.map((relation) => ({ ...relation, ...ofRelation(relation.id) })),
      };
      return formatGraph(data, format);
    },
  };
}

/** Without a filter what prose tells of comes alone, where there is any: a code base has thousands of functions. */
async function listed(
  { store, scope }: View,
  query: EntityQuery,
): Promise<{ total: number; entities: Entity[]; warnings: string[] }> {
  if (query.type !== undefined || query.query !== undefined)
    return { ...(await store.graph.entities(query)), warnings: [] };
  const found = await store.graph.entities({ ...query, except: CODE_ENTITY_TYPES });
  const all = (await store.graph.counts(scope)).entities;
  if (found.total === 0 || found.total === all)
    return { ...(found.total === all ? found : await store.graph.entities(query)), warnings: [] };
  const types = CODE_ENTITY_TYPES.join(', ');
  const left = `${all - found.total} entities of code are left out: ask with a query, or a type (${types}).`;
  return { ...found, warnings: [left] };
}

/** Where nothing is stated of an entity: what is mentioned with it. */
async function onlyTogether(view: View, entity: Entity): Promise<Omit<RelationList, 'resolved'>> {
  const found = await edgesTogether(view.store.graph, entity.key, view.scope);
  const names = await namesOf(
    view,
    found.map(({ edge }) => edge.target),
  );
  return {
    total: found.length,
    truncated: false,
    relations: found.map(({ edge, evidence }) => ({
      ...{ stated: false, source: entity.name, type: TOGETHER, target: names(edge.target).name },
      ...{ direction: 'out', confidence: 0, by: [], description: '', keywords: [], fields: {} },
      ...evidence,
    })),
    warnings: [...view.warnings, ...(found.length > 0 ? [NOTHING_STATED] : [])],
  };
}

/** A type as it is stored, however it is written. */
function relationType({ relationTypes }: GraphSchema, type: string): string {
  return typeAmong([...relationTypes, OTHER_TYPE, ...CODE_RELATION_TYPES], type) ?? type;
}

/** The config may spell a type otherwise than the schema, whose spelling is the stored one. */
function reverseTypes({ reverseFlow, relationTypes }: GraphSchema): string[] {
  const reverse = new Set(reverseFlow.map((type) => type.toUpperCase()));
  return [...new Set([...relationTypes, ...reverseFlow])].filter((type) => reverse.has(type.toUpperCase()));
}

async function namesOf(view: View, keys: readonly string[]): Promise<(key: string) => EntityLabel> {
  const labels = await view.store.graph.labels(keys, view.scope);
  return (key) => {
    const { name = key, type = OTHER_TYPE } = labels.get(key) ?? {};
    return { name, type };
  };
}
