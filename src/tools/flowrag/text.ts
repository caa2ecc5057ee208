// How the graph is written as text. Names and descriptions come from documents, so they are put on one line and kept
// apart from our own sentences.

import { AGENT } from '../../domain/graph.ts';
import type { Resolved } from '../../engine/graph/types.ts';
import { stableFence } from '../shared/fence.ts';
import { oneLine } from '../shared/text.ts';

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
