// The engine group `project`: what a project is built with, and its documentation in step with that. It reads this
// machine's files: for the command line, not for clients, which are offered enabled skills only.

import { requireScope, type Call } from '../call.ts';
import type { PackageSkill } from '../../ports/project.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase } from '../scope.ts';
import type { Watching } from '../watch.ts';
import { planSync, type ProjectFile, type SyncPlan } from './plan.ts';
import { propose, type Proposal } from './propose.ts';
import { enabledSkills, findSkills } from './skills.ts';
import { summarise } from './summary.ts';
import { applySync, type SyncOutcome } from './sync.ts';
import { watchProject, type WatchRequest } from './watch.ts';

export interface Project {
  propose(call: Call, folder: string): Promise<Proposal>;
  plan(call: Call, file: ProjectFile): Promise<SyncPlan>;
  sync(call: Call, request: { plan: SyncPlan; agreed: boolean }): Promise<SyncOutcome[]>;
  /** Keeps its folders and sources in step until it is stopped; what is done is reported. */
  watch(call: Call, request: WatchRequest): Promise<Watching>;
  /** What its collections hold, as Markdown of at most so many bytes. */
  summary(call: Call, maxBytes: number): Promise<string>;
  /** Skills of installed packages that the trusted project has enabled; the one thing here that clients see. */
  skills(call: Call): Promise<PackageSkill[]>;
  /** Skills that could be enabled. */
  findSkills(call: Call, folder: string): Promise<PackageSkill[]>;
}

export function createProject(deps: EngineDeps): Project {
  return {
    propose: (call, folder) => propose(deps, call, folder),
    async plan(call, file) {
      requireScope(call.principal, 'read');
      return planSync(deps, await openDatabase(deps, call), file);
    },
    async sync(call, request) {
      return applySync(deps, await openDatabase(deps, call, undefined, 'create'), call, request);
    },
    watch: (call, request) => watchProject(deps, call, request),
    async skills(call) {
      requireScope(call.principal, 'read');
      return enabledSkills(deps);
    },
    findSkills: (_call, folder) => findSkills(deps, folder),
    summary: (call, maxBytes) => summarise(deps, call, maxBytes),
  };
}
