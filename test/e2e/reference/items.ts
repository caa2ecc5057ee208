// What docs/reference.md lists, item by item, and which of the items a command line uses. The page is written from the
// code and a test fails when it is stale, so whatever is new turns up here by itself.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const page = readFileSync(join(resolve(import.meta.dirname, '../../..'), 'docs/reference.md'), 'utf8');

interface Command {
  path: string[];
  /** Every spelling of a flag, to the one it is listed by. */
  flags: Map<string, string>;
}

const commands: Command[] = [];
const others: string[] = [];

/** Names of items: `tool find`, `argument find query`, `command vai search`, `flag vai search --limit`, … */
export function items(): string[] {
  return [
    ...others,
    ...commands.flatMap(({ path, flags }) => [
      // A command that only holds others is called through them.
      ...(isGroup(path) ? [] : [`command ${path.join(' ')}`]),
      ...[...new Set(flags.values())].map((flag) => `flag ${path.join(' ')} ${flag}`),
    ]),
  ];
}

/** The items a command line uses. */
export function itemsOf(words: readonly string[]): string[] {
  const command = commands
    .filter(({ path }) => path.every((part, at) => words[at] === part))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (!command) return [];
  const name = command.path.join(' ');
  const flags = words
    .slice(command.path.length)
    .map((word) => command.flags.get(word.split('=')[0]!))
    .filter((flag) => flag !== undefined);
  return [`command ${name}`, ...flags.map((flag) => `flag ${name} ${flag}`)];
}

const isGroup = (path: readonly string[]): boolean => {
  const own = commands.find((one) => one.path.join(' ') === path.join(' '))!;
  const holds = commands.some(
    (one) => one.path.length > path.length && path.every((part, at) => one.path[at] === part),
  );
  return holds && own.flags.size === 0;
};

const cell = (line: string): string | undefined => /^\| `([^`]+)`/.exec(line)?.[1];

function read(): void {
  let part = '';
  let tool = '';
  let command: Command | undefined;
  let table = '';
  for (const line of page.split('\n')) {
    const heading = /^(#{2,4}) (.+)$/.exec(line);
    if (heading) {
      table = '';
      if (heading[1] === '##') part = heading[2]!;
      else if (part === 'Tools' && heading[1] === '####') {
        tool = heading[2]!;
        others.push(`tool ${tool}`);
      } else if (part === 'Commands') {
        command = { path: heading[2]!.split(' '), flags: new Map() };
        commands.push(command);
      }
      continue;
    }
    const head = /^\| (argument|resource|prompt|route|flag) \|/.exec(line);
    if (head) table = head[1]!;
    const name = cell(line);
    if (name === undefined) continue;
    if (table === 'argument') others.push(`argument ${tool} ${name}`);
    else if (table === 'flag') {
      const spellings = name.match(/(?<![\w-])-{1,2}[a-z][\w-]*/gi) ?? [];
      for (const spelling of spellings) command!.flags.set(spelling, spellings.at(-1)!);
    } else if (table && part !== 'Settings') others.push(`${table} ${name}`);
  }
}

read();
