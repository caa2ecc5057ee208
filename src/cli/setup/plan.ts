// What setting up would change: found clients, and for each the text before and after. Writing is a step of its own.

import {
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import { makeFolder } from '../../make-folder.ts';
import { CLIENTS, type Client, type Machine } from './clients.ts';
import { edit } from './edit.ts';

export interface Change {
  client: Client;
  file: string;
  before: string;
  after: string;
  /** Of a file that is not there yet. */
  mode: number;
}

/** The user's own files may hold a key; a project's never do. */
const OWN_FILE = 0o600;
const SHARED_FILE = 0o644;

export function chooseClients(machine: Machine, names: readonly string[]): Client[] {
  if (names.length > 0) return names.map(findClient);
  return CLIENTS.filter((client) => existsSync(client.trace(machine)));
}

interface ProjectClient extends Client {
  projectFile: string;
}

/** Those named, else those found on this machine or in the project. */
export function chooseProjectClients(
  machine: Machine,
  names: readonly string[],
  folder: string,
): ProjectClient[] {
  if (names.length > 0)
    return names.map((name) => {
      const client = findClient(name);
      if (client.projectFile) return { ...client, projectFile: client.projectFile };
      throw new VaiError('INVALID_INPUT', `${client.title} has no project-level configuration.`, {
        hint: `Set it up for yourself: vai setup ${client.id}`,
      });
    });
  return CLIENTS.flatMap((client) =>
    client.projectFile &&
    (existsSync(client.trace(machine)) || existsSync(join(folder, client.projectFile.split('/')[0]!)))
      ? [{ ...client, projectFile: client.projectFile }]
      : [],
  );
}

/** Where a project's file is. One that leads out of the project is not followed: a clone may hold such a link. */
export function projectPath(client: ProjectClient, folder: string): string {
  const root = realpathSync(folder);
  const file = join(root, client.projectFile);
  let there = file;
  while (!lstatSync(there, { throwIfNoEntry: false })) there = dirname(there);
  const real = existsSync(there) ? realpathSync(there) : undefined;
  if (real !== undefined && !relative(root, real).split(sep).includes('..')) return file;
  throw new VaiError(
    'CONFIG_INVALID',
    `${client.projectFile} is a symbolic link that leads out of the project.`,
    {
      hint: 'Remove the link, then run the command again.',
    },
  );
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

export function planChange(client: Client, file: string, entry: unknown, shared = false): Change {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const after = edit(client, before, entry);
  return { client, file, before, after, mode: shared ? SHARED_FILE : OWN_FILE };
}

/** Writes beside and renames, so that the client never reads half a file; with a stamp the old text is kept as a backup. */
export function applyChange(change: Change, stamp?: string): { backup?: string } {
  const file = existsSync(change.file) ? realpathSync(change.file) : change.file;
  makeFolder(dirname(file));
  const created = change.client.format === 'own-file' || change.mode === SHARED_FILE || !hasBackup(file);
  if (created && isEmpty(change.after)) {
    rmSync(file, { force: true });
    return {};
  }
  const backup = stamp && existsSync(file) ? `${file}.vai-backup-${stamp}` : undefined;
  if (backup) copyFileSync(file, backup);
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : change.mode;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, change.after, { mode });
  renameSync(temporary, file);
  return backup ? { backup } : {};
}

/** A file that existed before vai changed it has a backup; one without was created by vai. */
function hasBackup(file: string): boolean {
  return readdirSync(dirname(file)).some((name) => name.startsWith(`${basename(file)}.vai-backup-`));
}

/** Only the empty object that held our entry is left. */
function isEmpty(text: string): boolean {
  try {
    const value = JSON.parse(text.trim() || '{}') as Record<string, unknown>;
    return Object.values(value).every((one) => JSON.stringify(one) === '{}');
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
