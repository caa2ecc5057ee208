// What a caller sees of the surface. Policies read what a tool declares about itself, never its name; a tool a key may
// not call is not listed for it either.

import type { AccessScope, Principal } from '../../engine/call.ts';
import type { ServedTool } from './surface.ts';

/** `--read-only` takes the other scopes from everyone, so the engine refuses as well, not only the list. */
export function restrict(principal: Principal, readOnly: boolean): Principal {
  if (!readOnly) return principal;
  return { ...principal, scopes: principal.scopes.filter((scope) => scope === 'read') };
}

export function mayCall(principal: Principal, tool: ServedTool): boolean {
  return principal.scopes.includes(tool.scope);
}

export function visibleTools(principal: Principal, tools: readonly ServedTool[]): readonly ServedTool[] {
  return tools.every((tool) => mayCall(principal, tool))
    ? tools
    : tools.filter((tool) => mayCall(principal, tool));
}

export const ALL_SCOPES: readonly AccessScope[] = ['read', 'write', 'admin'];
