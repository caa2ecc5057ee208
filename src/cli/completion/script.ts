// Shell completion, written from the program itself so that it never says what the program does not know.

import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Word {
  /** Commands before it, from the program's name down. */
  path: string[];
  commands: { name: string; description: string }[];
  flags: { name: string; description: string }[];
}

function collect(command: Command, path: string[] = []): Word[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const here: Word = {
    path,
    commands: visible.flatMap((one) =>
      [one.name(), ...one.aliases()].map((name) => ({ name, description: one.description() })),
    ),
    flags: help
      .visibleOptions(command)
      .flatMap((option) => (option.long ? [{ name: option.long, description: option.description }] : [])),
  };
  return [
    here,
    ...visible.flatMap((one) =>
      [one.name(), ...one.aliases()].flatMap((name) => collect(one, [...path, name])),
    ),
  ];
}

export function completionScript(shell: Shell, program: Command): string {
  const words = collect(program);
  if (shell === 'fish') return fish(program.name(), words);
  const bash = bashScript(program.name(), words);
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash;
}

function bashScript(name: string, words: readonly Word[]): string {
  const cases = words.map(
    (word) =>
      `    '${word.path.join(' ')}') words='${[...word.commands, ...word.flags].map((one) => one.name).join(' ')}' ;;`,
  );
  const fn = `_${name.replaceAll('-', '_')}`;
  return [
    `${fn}() {`,
    '  local path="" word words i',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    word="${COMP_WORDS[i]}"',
    '    case "$word" in -*) continue ;; esac',
    '    case "${path:+$path }$word" in',
    ...words
      .filter((word) => word.path.length > 0)
      .map((word) => `      '${word.path.join(' ')}') path='${word.path.join(' ')}' ;;`),
    '    esac',
    '  done',
    '  case "$path" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '  [ ${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    `complete -F ${fn} ${name}`,
  ].join('\n');
}

function fish(name: string, words: readonly Word[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = words.flatMap((word) => {
    const condition =
      word.path.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${word.path.at(-1)}`;
    return [
      ...word.commands.map(
        (one) =>
          `complete -c ${name} -n ${quote(condition)} -a ${quote(one.name)} -d ${quote(one.description)}`,
      ),
      ...word.flags.map(
        (one) =>
          `complete -c ${name} -n ${quote(condition)} -l ${one.name.slice(2)} -d ${quote(one.description)}`,
      ),
    ];
  });
  return [...new Set(lines)].join('\n');
}
