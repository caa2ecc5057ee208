// How the graph is written as text. Names and descriptions come from documents, so they are put on one line and kept
// apart from our own sentences.

import { AGENT } from '../../domain/graph.ts';
import type { Path, Resolved, Trace } from '../../engine/graph/types.ts';
import { stableFence } from '../shared/fence.ts';
import { oneLine, plural } from '../shared/text.ts';

export const name = (text: string): string => oneLine(text, 256);

export function evidenceText({
  evidence,
  evidenceTotal,
}: {
  evidence: readonly { citation: string; by?: string }[];
  evidenceTotal: number;
}): string {
  if (evidence.length === 0) return '';
  const cited = evidence.map(
    ({ citation, by }) => `${oneLine(citation, 300)}${by === AGENT ? ' (stated by an agent)' : ''}`,
  );
  const more = evidenceTotal > evidence.length ? ` and ${evidenceTotal - evidence.length} more` : '';
  return `[${cited.join('; ')}${more}]`;
}

export function resolvedText(resolved: Resolved): string {
  const how = resolved.how === 'exact' ? '' : ` (${resolved.how} match of ${name(resolved.input)})`;
  const also =
    resolved.alsoMatched.length > 0 ? ` Also matched: ${resolved.alsoMatched.map(name).join(', ')}.` : '';
  return `${name(resolved.name)}${how}.${also}`;
}

const TRACED = {
  upstream: ['upstream', 'Upstream of'],
  downstream: ['downstream', 'Downstream of'],
  impact: ['affected', 'Affected by'],
} as const;

/** One line per edge, indented by distance: never one chain, which would print edges that do not exist. */
export function traceText({ resolved, direction, truncated, nodes, edges }: Trace): {
  head: string;
  lines: string[];
} {
  const [kind, about] = TRACED[direction];
  return {
    head: `${plural(nodes.length - 1, 'entity', 'entities')} ${kind}.${truncated ? ' The trace was truncated.' : ''}`,
    lines: [
      `${about} ${resolvedText(resolved)}`,
      ...edges.map((edge) => `${'  '.repeat(edge.depth - 1)}${edgeText(edge)} ${evidenceText(edge)}`),
    ],
  };
}

export function pathText(path: Path): { head: string; lines: string[] } {
  const steps = path.edges.map((edge) => {
    const also = edge.alsoTypes.length > 0 ? ` (also ${edge.alsoTypes.join(', ')})` : '';
    const way = !edge.stated ? ' (not stated)' : edge.forward ? '' : ' (against the arrow)';
    return `${edgeText(edge)}${also}${way} ${evidenceText(edge)}`;
  });
  return {
    head: path.found
      ? `${plural(path.length, 'step')}${path.directed ? '' : ', not all along the arrows'}.`
      : `No path of at most ${plural(path.searchedDepth, 'step')}.`,
    lines: [`From ${resolvedText(path.from)} To ${resolvedText(path.to)}`, ...steps],
  };
}

const edgeText = ({ source, type, target }: { source: string; type: string; target: string }): string =>
  `${name(source)} -${type}-> ${name(target)}`;

export function warningText(warnings: readonly string[]): string[] {
  return warnings.map((warning) => `Warning: ${oneLine(warning, 500)}`);
}

/** Lines that come out of documents, names too, fenced together; ours around them. */
export function fenced(
  before: readonly string[],
  lines: readonly string[],
  warnings: readonly string[],
): string {
  if (lines.length === 0) return [...before, ...warningText(warnings)].join('\n');
  const fence = stableFence(lines.join('\n'));
  return [...before, fence.notice, fence.wrap(lines.join('\n')), ...warningText(warnings)].join('\n');
}
