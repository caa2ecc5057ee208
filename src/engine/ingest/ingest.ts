// The engine group `ingest`: texts and files into collections.

import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { ingestFiles } from './files.ts';
import { ingestText } from './text.ts';
import type { IngestFilesRequest, IngestFilesResult, IngestTextRequest, IngestTextResult } from './types.ts';

export interface Ingest {
  text(call: Call, request: IngestTextRequest): Promise<IngestTextResult>;
  /** Reads this machine's files: for the command line, never for a client. */
  files(call: Call, request: IngestFilesRequest): Promise<IngestFilesResult>;
}

export function createIngest(deps: EngineDeps): Ingest {
  return {
    text: (call, request) => ingestText(deps, call, request),
    files: (call, request) => ingestFiles(deps, call, request),
  };
}
