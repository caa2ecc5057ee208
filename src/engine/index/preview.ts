// How a text would be chunked, without storing or sending anything.

import { chunkText, INGEST_PROFILE, type ChunkProfile } from '../../domain/chunk.ts';
import type { LineRange } from '../../domain/lines.ts';
import { requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { chunkDocument } from '../text/chunk/chunk.ts';
import { outline } from '../text/headings.ts';

export interface PreviewRequest {
  text: string;
  chunk?: Partial<ChunkProfile>;
}

export interface PreviewResult {
  profile: ChunkProfile;
  chunks: { text: string; lines: LineRange; headingPath: string[] }[];
}

export function previewChunks(deps: EngineDeps, call: Call, { text, chunk }: PreviewRequest): PreviewResult {
  requireScope(call.principal, 'read');
  const chosen = { ...INGEST_PROFILE, ...deps.settings.chunk, ...chunk };
  const profile = {
    ...chosen,
    overlap: chunk?.overlap ?? Math.min(chosen.overlap, Math.floor(chosen.size / 4)),
  };
  const structure = outline(text, 'markdown');
  const chunks = chunkDocument({ text, outline: structure, profile }).map((piece) => ({
    text: chunkText(text, piece),
    lines: { start: piece.startLine, end: piece.endLine },
    headingPath: piece.headingPath,
  }));
  return { profile, chunks };
}
