// Shell completion, generated from the program itself, so that it offers exactly what exists.

import type { Command } from 'commander';
import { valuesOfArgument, valuesOfFlag, type Shell, type Values } from './values.ts';

interface Flag {
  /** `--mode`, and `-m` where there is one. */
  names: string[];
  description: string;
  takesValue: boolean;
  values?: Values | undefined;
}

interface Place {
  /** Commands before it, from the program's name down. */
  path: string;
  commands: { name: string; description: string }[];
  flags: Flag[];
  /** What its arguments may be. */
  operands: Values[];
}

function collect(command: Command, path: string[] = []): Place[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const here: Place = {
    path: path.join(' '),
    commands: visible.flatMap((one) =>
      [one.name(), ...one.aliases()].map((name) => ({ name, description: one.description() })),
    ),
    flags: help.visibleOptions(command).map((option) => ({
      names: [option.long, option.short].filter((name) => name !== undefined && name !== null),
      description: option.description,
      takesValue: option.required || option.optional,
      values: valuesOfFlag(option),
    })),
    operands: command.registeredArguments
      .map((argument) => valuesOfArgument(command.name(), argument))
      .filter((values) => values !== undefined),
  };
  return [
    here,
    ...visible.flatMap((one) =>
      [one.name(), ...one.aliases()].flatMap((name) => collect(one, [...path, name])),
    ),
  ];
}

export function completionScript(shell: Shell, program: Command): string {
  const places = collect(program);
  if (shell === 'fish') return fish(program.name(), places);
  const bash = bashScript(program.name(), places);
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash;
}

/** As words of bash: those that are known, or a question to the program. */
function bashWords(name: string, values: Values): string {
  return 'words' in values
    ? `'${values.words.join(' ')}'`
    : `"$(${name} completion --values ${values.ask} 2>/dev/null)"`;
}

function bashScript(name: string, places: readonly Place[]): string {
  const fn = `_${name.replaceAll('-', '_')}`;
  const behindFlags = places.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ names, values }) => {
        const cases = names.map((flag) => `'${path}:${flag}'`).join('|');
        return `    ${cases}) ${values ? `words=${bashWords(name, values)}; ` : ''}behind=1 ;;`;
      }),
  );
  const here = places.map(({ path, commands, flags, operands }) => {
    const words = [...commands.map((one) => one.name), ...flags.map(({ names }) => names[0])].join(' ');
    const asked = operands.map((values) => `; words+=' '${bashWords(name, values)}`).join('');
    return `    '${path}') words='${words}'${asked} ;;`;
  });
  return [
    `${fn}() {`,
    '  local path="" word words="" behind="" i current="${COMP_WORDS[COMP_CWORD]}"',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    word="${COMP_WORDS[i]}"',
    '    case "${path:+$path }$word" in',
    ...places.filter(({ path }) => path !== '').map(({ path }) => `      '${path}') path='${path}' ;;`),
    '    esac',
    '  done',
    '  case "$path:${COMP_WORDS[COMP_CWORD - 1]}" in',
    ...behindFlags,
    '  esac',
    '  [ -z "$behind" ] && case "$path" in',
    ...here,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '  if [ ${#COMPREPLY[@]} -eq 0 ]; then',
    '    compopt -o filenames 2>/dev/null',
    '    COMPREPLY=($(compgen -f -- "$current"))',
    '  fi',
    '}',
    `complete -F ${fn} ${name}`,
  ].join('\n');
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishWords(name: string, values: Values): string {
  return 'words' in values
    ? quote(values.words.join(' '))
    : quote(`(${name} completion --values ${values.ask} 2>/dev/null)`);
}

function fish(name: string, places: readonly Place[]): string {
  const at = `__${name.replaceAll('-', '_')}_at`;
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const lines = places.flatMap(({ path, commands, flags, operands }) => {
    const where = `complete -c ${name} -n ${quote(`${at} "${path}"`)}`;
    return [
      ...commands.map((one) => `${where} -a ${quote(one.name)} -d ${quote(one.description)}`),
      ...flags.map(({ names, description, takesValue, values }) => {
        const flag = names
          .map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`))
          .join(' ');
        const value = values ? ` -x -a ${fishWords(name, values)}` : takesValue ? ' -r' : '';
        return `${where} ${flag} -d ${quote(description)}${value}`;
      }),
      ...operands.map((values) => `${where} -a ${fishWords(name, values)}`),
    ];
  });
  return [
    // The full command path: "search" and "docs search" have different flags.
    `function ${at}`,
    '    set -l path',
    '    for word in (commandline -opc)[2..-1]',
    `        if contains -- (string trim "$path $word") ${known.join(' ')}`,
    '            set path (string trim "$path $word")',
    '        end',
    '    end',
    '    test "$path" = "$argv[1]"',
    'end',
    ...new Set(lines),
  ].join('\n');
}
