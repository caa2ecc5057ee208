// What an index run tells: counts, calls, and the first failures of each kind.

import type { IndexReport } from './types.ts';

const MAX_FAILURES = 20;

export function emptyReport(database: string, collection: string, warnings: string[]): IndexReport {
  return {
    database,
    collection,
    run: { added: 0, changed: 0, renamed: 0, deleted: 0, unchanged: 0, failed: 0, partial: 0, skipped: [] },
    totals: { documents: 0, chunks: 0, entities: 0, relations: 0, vectors: 0 },
    calls: {
      extractRequests: 0,
      extractCacheHits: 0,
      embedRequests: 0,
      embeddedTexts: 0,
      inputTokens: 0,
      outputTokens: 0,
    },
    failures: [],
    failuresTotal: 0,
    durationMs: 0,
    warnings,
  };
}

export function addFailure(report: IndexReport, failure: IndexReport['failures'][number]): void {
  report.failuresTotal += 1;
  if (report.failures.length < MAX_FAILURES) report.failures.push(failure);
}
