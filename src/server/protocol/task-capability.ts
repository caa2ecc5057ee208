// Whether a request comes from a client that knows tasks: it says so itself, in every request.

import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** From what a request says about its client. */
export function knowsTasks(meta: object | undefined): boolean {
  const claimed = (meta as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const { extensions } = (claimed ?? {}) as { extensions?: Record<string, unknown> };
  return extensions?.[TASKS_EXTENSION] !== undefined;
}

export function requireTasks(meta: object | undefined): void {
  if (knowsTasks(meta)) return;
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}
