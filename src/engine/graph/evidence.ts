// Evidence as it is shown: the first few places that say so, each with its citation.

import { formatCitation } from '../../domain/citation.ts';
import { relationId, type Evidence } from '../../domain/graph.ts';
import type { GraphReads, GraphScope } from '../../ports/graph-store.ts';
import type { Evidenced, ShownEvidence } from './types.ts';

const EVIDENCE = 3;
const NONE: Evidenced = { evidence: [], evidenceTotal: 0 };

export function showEvidence(item: Evidence): ShownEvidence {
  const { path, startLine, endLine, headingPath, collection, by } = item;
  const citation = formatCitation({ collection, path, ranges: [{ start: startLine, end: endLine }] });
  return { path, startLine, endLine, headingPath, citation, ...(by === undefined ? {} : { by }) };
}

function shown(found: { total: number; evidence: Evidence[] } | undefined): Evidenced {
  return found ? { evidence: found.evidence.map(showEvidence), evidenceTotal: found.total } : NONE;
}

export async function evidenceOfEntities(
  graph: GraphReads,
  keys: readonly string[],
  scope: GraphScope,
): Promise<(key: string) => Evidenced> {
  const found = await graph.entityEvidence(keys, { scope, limit: EVIDENCE });
  return (key) => shown(found.get(key));
}

export async function evidenceOfEdges(
  graph: GraphReads,
  edges: readonly { source: string; target: string; type: string }[],
  scope: GraphScope,
): Promise<(edge: { source: string; target: string; type: string }) => Evidenced> {
  const evidence = await evidenceOfRelations(graph, edges.map(relationId), scope);
  return (edge) => evidence(relationId(edge));
}

export async function evidenceOfRelations(
  graph: GraphReads,
  ids: readonly string[],
  scope: GraphScope,
): Promise<(id: string) => Evidenced> {
  const found = await graph.relationEvidence(ids, { scope, limit: EVIDENCE });
  return (id) => shown(found.get(id));
}
