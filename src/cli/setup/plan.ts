// What setting up would change: found clients, and for each the text before and after. Writing is a step of its own.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import { CLIENTS, type Client, type Connection, type Machine } from './clients.ts';
import { edit } from './edit.ts';

export interface Change {
  client: Client;
  file: string;
  before: string;
  after: string;
}

export function chooseClients(machine: Machine, names: readonly string[]): Client[] {
  if (names.length > 0) return names.map(findClient);
  return CLIENTS.filter((client) => existsSync(client.trace(machine)));
}

export function findClient(name: string): Client {
  const client = CLIENTS.find((one) => one.id === name);
  if (client) return client;
  const ids = CLIENTS.map((one) => one.id);
  const close = nearest(name, ids, 1)[0];
  throw new VaiError('INVALID_INPUT', `There is no client \`${name.slice(0, 40)}\`.`, {
    hint: close ? `Did you mean ${close}?` : `Choose from ${ids.join(', ')}.`,
    suggestions: close ? [close] : ids,
  });
}

export function planChange(client: Client, machine: Machine, connection: Connection | undefined): Change {
  const file = client.file(machine);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const after = edit(client, before, connection && client.entry(connection));
  return { client, file, before, after };
}

/** Writes beside and renames, so that the client never reads half a file; the old text is kept as a backup. */
export function applyChange(change: Change, stamp: string): { backup?: string } {
  const file = existsSync(change.file) ? realpathSync(change.file) : change.file;
  mkdirSync(dirname(file), { recursive: true });
  const backup = existsSync(file) ? `${file}.vai-backup-${stamp}` : undefined;
  if (backup) copyFileSync(file, backup);
  if (change.client.format === 'own-file' && isEmpty(change.after)) {
    rmSync(file, { force: true });
    return backup ? { backup } : {};
  }
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, change.after, { mode });
  renameSync(temporary, file);
  return backup ? { backup } : {};
}

function isEmpty(text: string): boolean {
  try {
    const value = JSON.parse(text || '{}') as { mcpServers?: object };
    return Object.keys(value.mcpServers ?? {}).length === 0;
  } catch {
    return false;
  }
}

/** Added and removed lines, for a person to agree to. */
export function difference(before: string, after: string): string[] {
  const old = before.split('\n');
  const fresh = after.split('\n');
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail += 1;
  const mark = (sign: string) => (line: string) => `${sign} ${line}`;
  return [
    ...old
      .slice(head, old.length - tail)
      .filter((line, _, all) => all.length > 1 || line !== '')
      .map(mark('-')),
    ...fresh.slice(head, fresh.length - tail).map(mark('+')),
  ];
}
