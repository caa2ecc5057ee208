// The engine group `cite`: citations, and what else a caller names, into text.

import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { open, type Opened, type OpenRequest } from './open.ts';
import { readCitations } from './read.ts';
import type { ReadRequest, ReadResult } from './types.ts';

export interface Cite {
  read(call: Call, request: ReadRequest): Promise<ReadResult>;
  open(call: Call, request: OpenRequest): Promise<Opened>;
}

export function createCite(deps: EngineDeps): Cite {
  return {
    read: (call, request) => readCitations(deps, call, request),
    open: (call, request) => open(deps, call, request),
  };
}
