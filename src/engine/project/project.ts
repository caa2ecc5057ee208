// The engine group `project`: what a project is built with, and its documentation in step with that. It reads this
// machine's files: for the command line, never for a client.

import { requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase } from '../scope.ts';
import { planSync, type ProjectFile, type SyncPlan } from './plan.ts';
import { propose, type Proposal } from './propose.ts';
import { summarise } from './summary.ts';
import { applySync, type SyncOutcome } from './sync.ts';

export interface Project {
  propose(call: Call, folder: string): Promise<Proposal>;
  plan(call: Call, file: ProjectFile): Promise<SyncPlan>;
  sync(call: Call, request: { plan: SyncPlan; agreed: boolean }): Promise<SyncOutcome[]>;
  /** What its collections hold, as Markdown of at most so many bytes. */
  summary(call: Call, maxBytes: number): Promise<string>;
}

export function createProject(deps: EngineDeps): Project {
  return {
    propose: (_call, folder) => propose(deps, folder),
    async plan(call, file) {
      requireScope(call.principal, 'read');
      return planSync(deps, await openDatabase(deps, call), file);
    },
    async sync(call, request) {
      return applySync(deps, await openDatabase(deps, call, undefined, 'create'), call, request);
    },
    summary: (call, maxBytes) => summarise(deps, call, maxBytes),
  };
}
