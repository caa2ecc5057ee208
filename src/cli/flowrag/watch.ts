// `--watch`: keeps the index current beside a running server, and says so on standard error.

import { VaiError } from '../../domain/errors.ts';
import { localCall } from '../../engine/call.ts';
import type { EngineDeps } from '../../engine/deps.ts';
import { createEngine } from '../../engine/engine.ts';
import type { IndexReport } from '../../engine/index/types.ts';
import type { Frame } from '../frame.ts';

export function startWatching(frame: Frame, parts: EngineDeps): void {
  const tell = (report: IndexReport | VaiError) => frame.note(`flowrag-mcp: ${describe(report)}`);
  createEngine(parts)
    .graph.watch(localCall({ signal: frame.signal }), tell)
    .catch((error: unknown) =>
      tell(
        error instanceof VaiError
          ? error
          : new VaiError('INTERNAL', 'Watching the folder failed.', { cause: error }),
      ),
    );
}

function describe(report: IndexReport | VaiError): string {
  if (report instanceof VaiError) return report.messageAndHint;
  const { added, changed, renamed, deleted, failed } = report.run;
  return `indexed in ${report.durationMs} ms: ${added} added, ${changed} changed, ${renamed} renamed, ${deleted} deleted, ${failed} failed`;
}
