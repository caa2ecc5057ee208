// The only thing a toolset sees. Each group of methods is made by a factory in a file of its own; this file puts them
// together and holds no logic.

import { createCite, type Cite } from './cite/cite.ts';
import { createCollections, type Collections } from './collections.ts';
import type { EngineDeps, EngineSettings } from './deps.ts';
import { createDocs, type Docs } from './docs/docs.ts';
import { createEvaluate, type Evaluate } from './evaluate/evaluate.ts';
import { createEstimate, type Estimate } from './estimate/estimate.ts';
import { createExplain, type Explain } from './explain/explain.ts';
import { createGraph, type Graph } from './graph/graph.ts';
import { createIndexTools, type IndexTools } from './indexes.ts';
import { createIngest, type Ingest } from './index/ingest.ts';
import { createModelTools, type ModelTools } from './models.ts';
import { createPing, type Ping } from './ping.ts';
import { createProject, type Project } from './project/project.ts';
import { createSearch, type Search } from './search/search.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';
import { warmSteps, type WarmStep } from './warm.ts';

export interface Engine {
  readonly version: string;
  /** Most characters of one answer, per channel. */
  readonly resultBudget: number;
  /** How much callers over the network may have stored; none: as much as there is room for. */
  readonly limits: EngineSettings['limits'];
  readonly cite: Cite;
  readonly collections: Collections;
  readonly docs: Docs;
  readonly evaluate: Evaluate;
  readonly estimate: Estimate;
  readonly explain: Explain;
  readonly graph: Graph;
  readonly indexes: IndexTools;
  readonly ingest: Ingest;
  readonly models: ModelTools;
  readonly ping: Ping;
  readonly project: Project;
  readonly search: Search;
  readonly upkeep: Upkeep;
  /** What the first calls would have to load; each step may fail without harm. */
  warmSteps(): WarmStep[];
  close(): Promise<void>;
}

export function createEngine(deps: EngineDeps): Engine {
  const cite = createCite(deps);
  const search = createSearch(deps);
  return {
    version: deps.version,
    resultBudget: deps.settings.resultBudget,
    limits: deps.settings.limits,
    cite,
    collections: createCollections(deps),
    docs: createDocs(deps, { search, cite }),
    evaluate: createEvaluate(deps),
    estimate: createEstimate(deps),
    explain: createExplain(),
    graph: createGraph(deps, { search }),
    indexes: createIndexTools(deps),
    ingest: createIngest(deps),
    models: createModelTools(deps),
    ping: createPing(deps),
    project: createProject(deps),
    search,
    upkeep: createUpkeep(deps),
    warmSteps: () => warmSteps(deps),
    async close() {
      deps.spending?.close();
      await deps.stores.close();
    },
  };
}
