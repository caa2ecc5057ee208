// Which copies of an answer go out: as text, as structured content, or both. Hosts differ in what they show their model:
// one shows the text, one the structured copy, one both and pays twice. The owner of a server chooses for all clients, and
// a key for its own.

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolDefinition } from './surface.ts';

export const CHANNELS = ['both', 'text', 'structured'] as const;
export type Channels = (typeof CHANNELS)[number];

export const isChannels = (value: unknown): value is Channels =>
  (CHANNELS as readonly unknown[]).includes(value);

export function inChannels(
  channels: Channels,
  { text, structured }: { text: string; structured: Record<string, unknown> },
): CallToolResult {
  return {
    content: channels === 'structured' ? [] : [{ type: 'text', text }],
    ...(channels === 'text' ? {} : { structuredContent: structured }),
  };
}

/** A client that knows an output schema treats an answer without structured content as an error. */
export function listedIn(channels: Channels, definition: ToolDefinition): ToolDefinition {
  if (channels !== 'text') return definition;
  const { outputSchema: _, ...rest } = definition;
  return rest;
}
