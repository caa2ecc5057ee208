// Values of flags and arguments: some are known when the script is printed; the user's own names are fetched from the
// program while typing.

import type { Argument, Option } from 'commander';
import { CHUNK_STRATEGIES } from '../../domain/chunk.ts';
import { usage, type Frame } from '../frame.ts';
import { CLIENTS } from '../setup/clients.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export type Values = { words: readonly string[] } | { ask: Asked };
type Asked = 'collections' | 'sources' | 'registry' | 'topics';

const WORDS: Record<string, readonly string[]> = {
  '--channels': ['both', 'text', 'structured'],
  '--chunk-strategy': CHUNK_STRATEGIES,
  '--format': ['text', 'json', 'jsonl', 'raw'],
  '--print': CLIENTS.map(({ id }) => id),
  '--scopes': ['read', 'write', 'admin'],
  '--toolsets': ['vai', 'blz', 'flowrag', 'core'],
  '--transport': ['stdio', 'http'],
  client: CLIENTS.map(({ id }) => id),
  shell: SHELLS,
};

const ASKED: Record<string, Asked> = {
  '--collection': 'collections',
  '--source': 'sources',
  collection: 'collections',
  alias: 'sources',
  topic: 'topics',
};

/** By command and argument, where the name alone says something else. */
const BY_COMMAND: Record<string, Asked> = {
  'add alias': 'registry',
  'collections name': 'collections',
  'remove target': 'collections',
};

export function valuesOfFlag(option: Option): Values | undefined {
  if (option.argChoices) return { words: option.argChoices };
  return named(option.long ?? '');
}

export function valuesOfArgument(command: string, argument: Argument): Values | undefined {
  if (argument.argChoices) return { words: argument.argChoices };
  const asked = BY_COMMAND[`${command} ${argument.name()}`];
  return asked ? { ask: asked } : named(argument.name());
}

function named(name: string): Values | undefined {
  const words = WORDS[name];
  if (words) return { words };
  const ask = ASKED[name];
  return ask && { ask };
}

/** Printed for the shell, one a line. What could not be typed without quotes is left out. */
export async function askedValues(frame: Frame, kind: string): Promise<string[]> {
  return (await namesOf(frame, kind)).filter((name) => /^[\w@.:+/-]+$/.test(name));
}

async function namesOf(frame: Frame, kind: string): Promise<string[]> {
  if (kind === 'topics') {
    const { createExplain } = await import('../../engine/explain/explain.ts');
    return createExplain()
      .topics(frame.call())
      .map(({ topic }) => topic);
  }
  const engine = await frame.engine();
  if (kind === 'collections')
    return (await engine.collections.list(frame.call())).collections.map(({ name }) => name);
  if (kind !== 'sources' && kind !== 'registry') throw usage(`There are no values called \`${kind}\`.`);
  const { sources } = await engine.docs.list(frame.call(), {});
  return sources
    .filter((source) => (source.kind === 'installed') === (kind === 'sources'))
    .map(({ alias }) => alias);
}
