// The untyped layer under the graph: entities that are mentioned together. It is used where nothing is stated, is
// marked as such, and never comes before a statement.

import { relationId, type Evidence } from '../../domain/graph.ts';
import { compareText } from '../../domain/text.ts';
import type { GraphEdge, GraphReads, GraphScope } from '../../ports/graph-store.ts';
import { showEvidence } from './evidence.ts';
import type { Evidenced } from './types.ts';

/** The type of such an edge: no statement, so no type of the schema. */
export const TOGETHER = 'MENTIONED_WITH';
/** Places of an entity that are looked at. */
const PLACES = 100;
const NEIGHBOURS = 20;
/** Lines between two mentions that still belong together; further apart in one chunk counts less. */
const NEAR = 2;
const FAR_WEIGHT = 0.25;
/** One place is chance. */
const LEAST = 1;
/** For the two ends of a path two passages are enough, near or far: what joins them otherwise is often a word like "API". */
const LEAST_WANTED = 2 * FAR_WEIGHT;
const SHOWN = 3;

interface Neighbour {
  key: string;
  places: Evidence[];
}

const NONE: ReadonlySet<string> = new Set();

/** Entities mentioned with another, those first that are seldom mentioned without it; `wanted` ones however often. */
async function mentionedWith(
  graph: GraphReads,
  key: string,
  scope: GraphScope,
  wanted: ReadonlySet<string>,
): Promise<Neighbour[]> {
  const found = (await graph.entityEvidence([key], { scope, limit: PLACES })).get(key);
  if (!found) return [];
  const lines = Map.groupBy(found.evidence, ({ chunkId }) => chunkId);
  const together = new Map<string, { weight: number; places: Evidence[] }>();
  for (const [chunk, { entities = [] }] of await graph.contributions([...lines.keys()])) {
    const own = lines.get(chunk)!;
    const seen = new Set([key]);
    for (const other of entities) {
      if (seen.has(other.key)) continue;
      const near = own.find(({ startLine }) => Math.abs(startLine - other.startLine) <= NEAR);
      const known = together.get(other.key) ?? { weight: 0, places: [] };
      together.set(other.key, known);
      known.weight += near ? 1 : FAR_WEIGHT;
      const { by: _, ...from } = near ?? own[0]!;
      known.places.push({
        ...from,
        startLine: Math.min(from.startLine, other.startLine),
        endLine: Math.max(from.endLine, other.endLine),
      });
      if (near) seen.add(other.key);
    }
  }
  const likely = [...together].filter(
    ([other, { weight }]) => weight >= (wanted.has(other) ? LEAST_WANTED : LEAST),
  );
  const entities = await graph.byKeys(
    likely.map(([other]) => other),
    scope,
  );
  const mentions = new Map(entities.map((entity) => [entity.key, entity.mentions]));
  return likely
    .filter(([other]) => mentions.has(other))
    .map(([other, { weight, places }]) => ({
      key: other,
      places,
      score: weight / Math.sqrt(mentions.get(other)!),
    }))
    .sort((a, b) => b.score - a.score || compareText(a.key, b.key))
    .filter((other, rank) => rank < NEIGHBOURS || wanted.has(other.key))
    .map(({ key: other, places }) => ({ key: other, places }));
}

/** The same as edges, with where the two stand together. */
export async function edgesTogether(
  graph: GraphReads,
  key: string,
  scope: GraphScope,
  wanted: ReadonlySet<string> = NONE,
): Promise<{ edge: GraphEdge; evidence: Evidenced }[]> {
  return (await mentionedWith(graph, key, scope, wanted)).map(({ key: other, places }) => ({
    edge: { source: key, target: other, type: TOGETHER, mentions: places.length, confidence: 0 },
    evidence: { evidence: places.slice(0, SHOWN).map(showEvidence), evidenceTotal: places.length },
  }));
}

/**
 * What a path may walk over where statements lead nowhere: statements, and edges of mentions beside them. Two `ends` that
 * stand in one passage are joined by it, so that no word which everything is mentioned with has to join them.
 */
export function withTogether(
  graph: GraphReads,
  scope: GraphScope,
  ends: readonly string[],
): { walk: Pick<GraphReads, 'edges'>; evidence: Map<string, Evidenced> } {
  const evidence = new Map<string, Evidenced>();
  const known = new Map<string, GraphEdge[]>();
  const wanted = new Set(ends);
  const neighbours = async (key: string): Promise<GraphEdge[]> => {
    const there = known.get(key);
    if (there) return there;
    const found = await edgesTogether(graph, key, scope, wanted);
    for (const { edge, evidence: places } of found) evidence.set(relationId(edge), places);
    const edges = found.map(({ edge }) => edge);
    known.set(key, edges);
    return edges;
  };
  return {
    evidence,
    walk: {
      async edges(keys, direction, options) {
        const stated = await graph.edges(keys, direction, options);
        const mentioned: GraphEdge[] = [];
        for (const key of keys.slice(0, WALKED)) mentioned.push(...(await neighbours(key)));
        return [...stated, ...mentioned];
      },
    },
  };
}

/** Nodes of one level whose mentions are looked up: beyond that a path would say nothing. */
const WALKED = 60;
