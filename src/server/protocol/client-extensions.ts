// What a client says it can take beyond the protocol itself: with every request in the modern era, once before.

import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';
export const VIEW_TYPE = 'text/html;profile=mcp-app';

/** From what a request says about its client. */
export function knowsTasks(meta: object | undefined): boolean {
  return settingsOf(claimedIn(meta), TASKS_EXTENSION) !== undefined;
}

/** `before`: what the client said when it connected, in eras where it does. */
export function knowsViews(meta: object | undefined, before: object | undefined): boolean {
  const { mimeTypes } = (settingsOf(claimedIn(meta) ?? before, VIEWS_EXTENSION) ?? {}) as {
    mimeTypes?: unknown;
  };
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE);
}

function claimedIn(meta: object | undefined): object | undefined {
  return (meta as Record<string, object | undefined> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

function settingsOf(capabilities: object | undefined, extension: string): unknown {
  const { extensions } = (capabilities ?? {}) as { extensions?: Record<string, unknown> };
  return extensions?.[extension];
}

export function requireTasks(meta: object | undefined): void {
  if (knowsTasks(meta)) return;
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}
