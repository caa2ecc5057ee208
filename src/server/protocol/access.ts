// What a caller may do. Policies read what a tool declares about itself, never its name; a tool a key may not call is not
// listed for it either.

import type { Principal } from '../../engine/call.ts';
import type { ServedTool } from './surface.ts';

/**
 * `--read-only` removes the other scopes from every caller, so the engine refuses too, not only the tool list. Applied
 * once, where a caller is made: when a connection over stdio begins, and when an HTTP request has shown its key.
 */
export function restrict(principal: Principal, readOnly: boolean): Principal {
  if (!readOnly) return principal;
  return { ...principal, scopes: principal.scopes.filter((scope) => scope === 'read'), readOnly };
}

export function visibleTools(principal: Principal, tools: readonly ServedTool[]): readonly ServedTool[] {
  const may = ({ scope }: ServedTool): boolean => principal.scopes.includes(scope);
  return tools.every(may) ? tools : tools.filter(may);
}
