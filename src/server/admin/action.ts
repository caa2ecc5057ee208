// What an action of the admin API is: plain data and one function, as a tool is. The page asks for it by name; what a
// caller may not use is neither listed for it nor answered.

import type * as z from 'zod';
import { requireEverything, requireScope, type AccessScope, type Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Caller } from '../keys/entry.ts';
import type { Admin } from './parts.ts';

export interface ActionContext extends Admin {
  engine: Engine;
  call: Call;
  key: Caller;
  /** Writes a change of keys down, with who made it. */
  auditKey: (change: Record<string, unknown>) => void;
}

export interface Action<Input extends z.ZodObject = z.ZodObject> {
  /** What a key must be allowed to do. */
  scope: AccessScope;
  /** It concerns the whole server: a key for some collections is not enough. */
  whole?: boolean;
  /** Written down in the audit log even where reads are not. */
  changes?: boolean;
  /** `z.strictObject`; everything bounded. */
  input: Input;
  run(input: z.output<Input>, context: ActionContext): Promise<object> | object;
  /** Goes on after the answer, with progress that any page of this server can ask for; what runs is `run`. */
  job?: {
    /** How long it can be called off before it begins. */
    delayMs?: number;
  };
}

/** Keeps the input type of an action while it is written. */
export function defineAction<Input extends z.ZodObject>(action: Action<Input>): Action {
  return action;
}

export function requireAction({ scope, whole }: Action, { principal }: Call): void {
  requireScope(principal, scope);
  if (whole) requireEverything(principal);
}

export function mayRun({ scope, whole }: Action, { principal }: Call): boolean {
  return principal.scopes.includes(scope) && (!whole || principal.collections === '*');
}
