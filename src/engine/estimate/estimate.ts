// The engine group `estimate`: what things would cost before anything is spent.

import { requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { estimateCosts, type CostEstimate, type EstimateRequest } from './costs.ts';
import { estimatePath, type PathEstimate, type PathEstimateRequest } from './path.ts';

export interface Estimate {
  costs(call: Call, request: EstimateRequest): CostEstimate;
  /** Reads this machine's files: for the command line, never for a client. */
  path(call: Call, request: PathEstimateRequest): Promise<PathEstimate>;
}

export function createEstimate(deps: EngineDeps): Estimate {
  return {
    costs(call, request) {
      requireScope(call.principal, 'read');
      return estimateCosts(deps.models.list(), request);
    },
    path: (call, request) => estimatePath(deps, call, request),
  };
}
