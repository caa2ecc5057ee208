// Keeps the index current while a folder changes: the first run at once, then one a moment after each burst of changes.
// Events only say that something happened; what happened is found by the sync itself.

import { watch } from 'node:fs';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import type { Call } from '../call.ts';
import type { GraphSettings } from '../../domain/graph-settings.ts';
import type { IndexReport } from '../index/types.ts';

const QUIET_MS = 300;

export interface Watching {
  stop(): Promise<void>;
}

export interface WatchJob {
  settings: GraphSettings;
  call: Call;
  report: (report: IndexReport | VaiError) => void;
  run: () => Promise<IndexReport>;
}

export async function watchFolder(job: WatchJob): Promise<Watching> {
  const { docs } = job.settings;
  if (docs === undefined)
    throw new VaiError('CONFIG_MISSING', 'No folder of documents is configured.', {
      hint: 'Set `docs` or --docs.',
    });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let again = false;
  const sync = () => {
    timer = undefined;
    again = false;
    running = running.then(async () => {
      try {
        job.report(await job.run());
      } catch (thrown) {
        const error = toVaiError(thrown);
        // Another process is at it: come back when it is likely done.
        if (error.code === 'INDEX_BUSY') again = true;
        job.report(error);
      }
      if (again) touch();
    });
  };
  const touch = () => {
    clearTimeout(timer);
    timer = setTimeout(sync, QUIET_MS);
  };
  // The watcher is there before the first run, so that nothing written meanwhile is missed.
  const watcher = watch(docs, { recursive: true }, touch);
  watcher.on('error', (error) => job.report(toVaiError(error)));
  sync();
  const stop = async () => {
    clearTimeout(timer);
    watcher.close();
    await running;
  };
  job.call.signal?.addEventListener('abort', () => void stop(), { once: true });
  return { stop };
}
