// The only thing a door sees. Each group of methods is made by a factory in a file of its own; this file puts them
// together and holds no logic.

import { createCollections, type Collections } from './collections.ts';
import type { EngineDeps } from './deps.ts';
import { createIngest, type Ingest } from './ingest/ingest.ts';
import { createSearch, type Search } from './search/search.ts';

export interface Engine {
  readonly version: string;
  readonly collections: Collections;
  readonly ingest: Ingest;
  readonly search: Search;
  close(): Promise<void>;
}

export function createEngine(deps: EngineDeps): Engine {
  return {
    version: deps.version,
    collections: createCollections(deps),
    ingest: createIngest(deps),
    search: createSearch(deps),
    close: () => deps.stores.close(),
  };
}
