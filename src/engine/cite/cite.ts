// The engine group `cite`: citations into text, and old citations into present ones.

import { formatCitation } from '../../domain/citation.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, visibleCollections } from '../scope.ts';
import { locate } from './locate.ts';
import { open, type Opened, type OpenRequest } from './open.ts';
import { readCitations } from './read.ts';
import { remap } from './remap.ts';
import type { ReadRequest, ReadResult, ResolveResult } from './types.ts';

export interface Cite {
  read(call: Call, request: ReadRequest): Promise<ReadResult>;
  open(call: Call, request: OpenRequest): Promise<Opened>;
  /** What became of the first range of a citation: same, moved, changed or gone. */
  resolve(call: Call, request: { citation: string; db?: string }): Promise<ResolveResult>;
}

export function createCite(deps: EngineDeps): Cite {
  return {
    read: (call, request) => readCitations(deps, call, request),
    open: (call, request) => open(deps, call, request),
    async resolve(call, request) {
      const store = await openDatabase(deps, call, request.db);
      const located = await locate(store, await visibleCollections(store, call), request.citation, []);
      const requested = located.citation.ranges[0]!;
      const { status, range, notice, resolution } = await remap(store, located, requested);
      if (notice?.code === 'stale_citation' && !status) {
        const old = `No text with the hash @${located.citation.hash} is kept, so its lines cannot be located.`;
        throw new VaiError('INVALID_CITATION', old, {
          hint: 'Search for the passage again to get a citation of the current text.',
        });
      }
      if (status === 'gone') return { citation: request.citation, resolution: { status } };
      const { collection, path, sha256 } = located.info;
      return {
        citation: request.citation,
        resolution: resolution ?? { status: 'same', range },
        current: formatCitation({ collection, path, ranges: [range], hash: sha256 }),
      };
    },
  };
}
