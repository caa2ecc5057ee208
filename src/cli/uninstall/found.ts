// Everything vai has written outside its home folder, and the files as they would be without it: entries of clients,
// files of projects, the block in AGENTS.md, shell completion, and the copies made before a client's file was changed.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { toVaiError } from '../../domain/errors.ts';
import { CLIENTS, dotConfig, type Client, type Machine } from '../setup/clients.ts';
import { applyChange, planChange } from '../setup/plan.ts';
import { withoutBlock } from '../vai/agents.ts';
import { digestOf, type Written } from '../written-files.ts';

export interface Found {
  what: string;
  file: string;
  /** Undefined where a person has to decide; `why` says what about. */
  remove?: () => void;
  why?: string;
}

export function findWritten(machine: Machine, record: readonly Written[]): Found[] {
  return [
    ...CLIENTS.flatMap((client) => ofClient(client, client.file(machine), false)),
    ...record.filter(({ file }) => existsSync(file)).flatMap(ofRecord),
    ...CLIENTS.flatMap((client) => backupsOf(client.file(machine))),
    ...record.flatMap(({ file }) => backupsOf(file)),
    ...completions(machine),
  ];
}

function ofClient(client: Client, file: string, shared: boolean): Found[] {
  if (!existsSync(file)) return [];
  const what = `entry of ${client.title}`;
  try {
    const change = planChange(client, file, undefined, shared);
    if (change.before === change.after) return [];
    return [{ what, file, remove: () => void applyChange(change) }];
  } catch (thrown) {
    // A broken file that does not mention vai is none of our business.
    if (!readFileSync(file, 'utf8').includes('vai')) return [];
    return [{ what, file, why: toVaiError(thrown).message }];
  }
}

function ofRecord({ file, what, digest }: Written): Found[] {
  if (what.startsWith('client:')) {
    const client = CLIENTS.find(({ id }) => `client:${id}` === what);
    return client ? ofClient(client, file, true) : [];
  }
  if (what === 'agents') {
    const text = readFileSync(file, 'utf8');
    const rest = withoutBlock(text);
    if (rest === text) return [];
    return [
      {
        what: 'block of vai agents',
        file,
        remove: () => (rest === '' ? rmSync(file) : writeFileSync(file, rest)),
      },
    ];
  }
  if (digestOf(file) !== digest)
    return [
      {
        what: 'project file',
        file,
        why: 'It was edited since vai wrote it: delete it yourself if you no longer want it.',
      },
    ];
  return [{ what: 'project file', file, remove: () => rmSync(file) }];
}

function backupsOf(file: string): Found[] {
  const folder = dirname(file);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}.vai-backup-`))
    .map((name) => {
      const path = join(folder, name);
      return { what: 'backup from before a change', file: path, remove: () => rmSync(path) };
    });
}

const COMMANDS = ['vai', 'blz', 'flowrag-mcp'];
/** A line that loads our completion, as the help of `vai completion` shows it. */
const LOADS = /^\s*(?:source|\.)\s+<\((?:vai|blz|flowrag-mcp) completions? (?:bash|zsh)\)\s*$/;

function completions(machine: Machine): Found[] {
  const { home, env } = machine;
  const data = env['XDG_DATA_HOME'] ?? join(home, '.local', 'share');
  const scripts = COMMANDS.flatMap((name) => [
    join(dotConfig(machine), 'fish', 'completions', `${name}.fish`),
    join(data, 'bash-completion', 'completions', name),
  ]);
  const ours = (file: string) =>
    /^complete (?:-c|-F \S+) (?:vai|blz|flowrag-mcp)\b/m.test(readFileSync(file, 'utf8'));
  const lines = ['.bashrc', '.bash_profile', '.zshrc']
    .map((name) => join(home, name))
    .filter((file) => existsSync(file));
  return [
    ...scripts
      .filter((file) => existsSync(file) && ours(file))
      .map((file) => ({ what: 'shell completion', file, remove: () => rmSync(file) })),
    ...lines.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const rest = text
        .split('\n')
        .filter((line) => !LOADS.test(line))
        .join('\n');
      return rest === text
        ? []
        : [{ what: 'line that loads shell completion', file, remove: () => writeFileSync(file, rest) }];
    }),
  ];
}
