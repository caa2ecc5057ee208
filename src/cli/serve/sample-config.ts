// What to put into a client's configuration. Only printed: `vai setup` is what edits files, and it asks.

import { homedir } from 'node:os';
import { shownPath } from '../../config/index.ts';
import { CLIENTS, type Machine } from '../setup/clients.ts';
import { edit } from '../setup/edit.ts';
import { findClient } from '../setup/plan.ts';

interface SampleOptions {
  url?: string;
  /** How this server is started on this machine. */
  command: string[];
}

export function listClients(): string {
  return `Name one of them: ${CLIENTS.map((client) => client.id).join(', ')}.\nFor example: vai mcp-server sample-config cursor`;
}

/** The file by itself, so that it can be written to where the note says it belongs. */
export function sampleConfig(
  name: string,
  { url, command }: SampleOptions,
): { config: string; note: string } {
  const client = findClient(name);
  const machine: Machine = { home: homedir(), platform: process.platform, env: {} };
  const [program = 'vai', ...args] = command;
  const entry = client.entry(
    url ? { kind: 'remote', url } : { kind: 'local', command: program, args, env: {} },
  );
  return {
    config: edit(client, '', entry).trimEnd(),
    note: `${client.title} reads this from ${shownPath(client.file(machine), machine.home)}. Clients change: compare with the documentation of your version.`,
  };
}
