// The engine group `ingest`: texts and files into collections.

import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { indexFiles } from './run.ts';
import { previewChunks, type PreviewRequest, type PreviewResult } from './preview.ts';
import { ingestText } from './text.ts';
import type { IndexFilesRequest, IndexReport, IngestTextRequest, IngestTextResult } from './types.ts';

export interface Ingest {
  text(call: Call, request: IngestTextRequest): Promise<IngestTextResult>;
  /** Reads this machine's files: for the command line, never for a client. */
  files(call: Call, request: IndexFilesRequest): Promise<IndexReport>;
  /** How a text would be chunked; nothing is stored or sent. */
  preview(call: Call, request: PreviewRequest): PreviewResult;
}

export function createIngest(deps: EngineDeps): Ingest {
  return {
    text: (call, request) => ingestText(deps, call, request),
    files: (call, request) => indexFiles(deps, call, request),
    preview: (call, request) => previewChunks(deps, call, request),
  };
}
