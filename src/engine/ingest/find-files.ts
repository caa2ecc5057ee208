// Which files of this machine the named paths stand for: what an ingest reads and an estimate counts.

import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import type { Scan } from '../../ports/source.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';

export interface Found {
  file: string;
  path: string;
  /** The folder it was found in; links out of it are refused. */
  root?: string;
}

export interface FindRequest {
  paths: readonly string[];
  include?: string[];
  exclude?: string[];
}

export async function findFiles(
  deps: EngineDeps,
  call: Call,
  request: FindRequest,
): Promise<{ found: Found[]; skipped: Scan['skipped'] }> {
  const found: Found[] = [];
  const skipped: Scan['skipped'] = [];
  for (const given of request.paths) {
    const place = resolve(given);
    const info = await stat(place).catch((cause: unknown) => {
      throw new VaiError('FILE_UNREADABLE', `\`${given}\` cannot be read.`, {
        hint: 'Check the path and its permissions.',
        cause,
      });
    });
    if (!info.isDirectory()) {
      found.push({ file: place, path: basename(place) });
      continue;
    }
    const scan = await deps.files.scan(place, {
      include: request.include,
      exclude: request.exclude,
      signal: call.signal,
    });
    const prefix = request.paths.length > 1 ? `${basename(place)}/` : '';
    for (const file of scan.files)
      found.push({ file: resolve(place, file.path), path: prefix + file.path, root: place });
    skipped.push(...scan.skipped);
  }
  return { found, skipped };
}
