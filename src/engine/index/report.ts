// What an index run reports: counts, calls and the first failures.

import type { SourceState } from '../../domain/collection.ts';
import { plural } from '../../domain/text.ts';
import type { IndexCalls, IndexFailure, IndexReport } from './types.ts';

const MAX_FAILURES = 20;
const NOTICES_OF_A_KIND = 3;

export interface FileNotice {
  path: string;
  notice: string;
}

export function noCalls(): IndexCalls {
  return {
    extractRequests: 0,
    extractCacheHits: 0,
    embedRequests: 0,
    embeddedTexts: 0,
    inputTokens: 0,
    outputTokens: 0,
  };
}

export function emptyReport(place: Pick<IndexReport, 'database' | 'collection' | 'model'>): IndexReport {
  return {
    ...place,
    run: {
      added: 0,
      changed: 0,
      renamed: 0,
      deleted: 0,
      unchanged: 0,
      failed: 0,
      partial: 0,
      chunks: 0,
      bytes: 0,
      skipped: [],
    },
    totals: { documents: 0, chunks: 0, entities: 0, relations: 0, vectors: 0 },
    calls: noCalls(),
    cost: 0,
    failures: [],
    failuresTotal: 0,
    durationMs: 0,
    warnings: [],
  };
}

export function addFailure(report: IndexReport, failure: IndexFailure): void {
  report.failuresTotal += 1;
  if (report.failures.length < MAX_FAILURES) report.failures.push(failure);
}

/** What readers noticed about files: of each kind the first three, and how many more there are. */
export function noticeLines(notices: readonly FileNotice[]): string[] {
  const kinds = Map.groupBy(notices, ({ notice }) => notice.replaceAll(/\d+/g, '#'));
  return [...kinds.values()].flatMap((kind) => {
    const more = kind.length - NOTICES_OF_A_KIND;
    return [
      ...kind.slice(0, NOTICES_OF_A_KIND).map(({ path, notice }) => `${path}: ${notice}`),
      ...(more > 0 ? [`The same holds for ${plural(more, 'more file')}.`] : []),
    ];
  });
}

export function hasChanged({ run }: IndexReport): boolean {
  return run.added + run.changed + run.renamed + run.deleted > 0;
}

/** Where a collection is refreshed from, after a run over it. */
export function sourceAfter(
  report: IndexReport,
  place: Pick<SourceState, 'kind' | 'location'>,
  { at, before }: { at: string; before: SourceState | undefined },
): SourceState {
  const same = before && !hasChanged(report);
  return { ...place, fetchedAt: at, changedAt: same ? before.changedAt : at };
}
