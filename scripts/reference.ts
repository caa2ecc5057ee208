// Writes docs/reference.md from the code: tools, commands, settings, error codes. `--check` fails when it is stale.

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { buildBlz } from '../src/cli/blz/program.ts';
import { buildFlowrag } from '../src/cli/flowrag/program.ts';
import { createFrame, type Frame } from '../src/cli/frame.ts';
import { buildVai } from '../src/cli/vai/program.ts';
import { KEYS } from '../src/config/index.ts';
import { ERRORS } from '../src/domain/errors.ts';
import { ROUTES } from '../src/server/http/guards/route.ts';
import { createBlzToolset } from '../src/tools/blz/toolset.ts';
import { createFlowragToolset } from '../src/tools/flowrag/toolset.ts';
import type { Toolset } from '../src/tools/tool.ts';
import { createVaiToolset } from '../src/tools/vai/toolset.ts';
import { VARIABLES } from './variables.ts';

/** Offered only with VAI_EXTRA_TOOLS=1. */
const EXTRA = new Set(
  createVaiToolset({ extras: true })
    .tools.map(({ name }) => name)
    .filter((name) => !createVaiToolset().tools.some((tool) => tool.name === name)),
);

const file = resolve(import.meta.dirname, '../docs/reference.md');

export async function reference(): Promise<string> {
  const frame = quietFrame();
  const programs = [await buildVai(frame, []), await buildBlz(frame), await buildFlowrag(frame)];
  return [
    '# Reference',
    '',
    'Written from the code by `npm run reference`; a test fails when it is stale.',
    '',
    '## Tools',
    ...[createVaiToolset({ extras: true }), createBlzToolset(), createFlowragToolset()].flatMap(toolset),
    '## Routes',
    '',
    'What the HTTP server answers. Every request passes the checks of Host and Origin first.',
    '',
    ...table(
      ['route', 'what'],
      ROUTES.flatMap(({ path, methods, what }) => methods.map((method) => [`\`${method} ${path}\``, what])),
    ),
    '## Commands',
    ...programs.flatMap((program) => commands(program, [])),
    '## Settings',
    '',
    'Order: tool argument, flag, environment, `.vai.json` of the project, `config.json` in `VAI_HOME`, default. A secret of the environment may also come from a file: `VOYAGE_API_KEY_FILE` instead of `VOYAGE_API_KEY`.',
    '',
    ...table(['setting', 'environment', 'config.json', '.vai.json', 'default', 'meaning'], settings()),
    'Further variables, which no file can set:',
    '',
    ...table(
      ['environment', 'meaning'],
      Object.entries(VARIABLES).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    '## Error codes',
    '',
    'What an error ends: the `item` at hand (a file, a text), the `run` over many items, or the whole `call`.',
    '',
    ...table(
      ['code', 'exit status', 'HTTP status', 'ends', 'may succeed later'],
      Object.entries(ERRORS).map(([code, meaning]) => [
        code,
        String(meaning.exit),
        String(meaning.http),
        meaning.ends,
        meaning.retryable ? 'yes' : '',
      ]),
    ),
  ].join('\n');
}

function quietFrame(): Frame {
  const silent = { write: () => true, isTTY: false };
  return createFrame(
    {
      name: 'vai',
      env: {},
      cwd: '/',
      streams: { stdout: silent, stderr: silent, stdin: process.stdin },
      uriChoosesStore: true,
    },
    new AbortController().signal,
  );
}

function toolset(set: Toolset): string[] {
  return [
    '',
    `### Toolset ${set.name}`,
    '',
    ...set.tools.flatMap((tool) => {
      const schema = z.toJSONSchema(tool.input, { io: 'input' }) as Schema;
      const output = z.toJSONSchema(tool.output, { unrepresentable: 'any' }) as Schema;
      const answer = Object.keys(output.properties ?? {}).map((name) => nameIn(output, name));
      const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => [
        nameIn(schema, name),
        typeOf(property),
        property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``,
        property.description ?? '',
      ]);
      const hints = [
        tool.annotations.readOnlyHint ? 'reads only' : 'writes',
        tool.annotations.openWorldHint ? 'may call a hosted model or the web' : 'stays here',
        `needs scope ${tool.scope}`,
        ...('isLong' in tool ? ['may run as a [task](long-work.md)'] : []),
        ...(tool.view ? [`has a [view](clients.md#views), \`${tool.view.uri}\``] : []),
        ...(EXTRA.has(tool.name) ? ['only with `VAI_EXTRA_TOOLS=1`'] : []),
      ];
      return [
        `#### ${tool.name}`,
        '',
        tool.description,
        '',
        `*${hints.join(', ')}*`,
        '',
        ...(rows.length ? table(['argument', 'type', 'default', 'meaning'], rows) : ['No arguments.', '']),
        ...(answer.length ? [`Answers with ${answer.join(', ')}.`, ''] : []),
      ];
    }),
    ...(set.resources.length
      ? table(
          ['resource', 'what'],
          set.resources.map((one) => [`\`${one.uri}\``, one.description]),
        )
      : []),
    ...(set.prompts.length
      ? table(
          ['prompt', 'what'],
          set.prompts.map((one) => [`\`${one.name}\``, one.description]),
        )
      : []),
  ];
}

interface Schema {
  properties?: Record<string, Property>;
  required?: string[];
}

/** What may be left out has a question mark. */
function nameIn({ required }: Schema, name: string): string {
  return `\`${name}\`${required?.includes(name) ? '' : '?'}`;
}

interface Property {
  type?: string | string[];
  enum?: string[];
  anyOf?: Property[];
  items?: Property;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
}

function typeOf(property: Property): string {
  if (property.enum) return property.enum.map((value) => `\`${value}\``).join(' \\| ');
  if (property.anyOf) return property.anyOf.map(typeOf).join(' or ');
  const range =
    property.minimum !== undefined && property.maximum !== undefined
      ? ` ${property.minimum}–${property.maximum}`
      : '';
  if (property.type === 'array') return `${property.items ? typeOf(property.items) : 'any'}[]`;
  return `${String(property.type ?? 'any')}${range}`;
}

function commands(command: Command, path: string[]): string[] {
  const help = command.createHelp();
  const name = [...path, command.name()];
  const options = help
    .visibleOptions(command)
    .filter((option) => option.long !== '--help' && option.long !== '--version');
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const title = path.length === 0 ? `### ${command.name()}` : `#### ${name.join(' ')}`;
  const head =
    path.length === 0 && options.length === 0
      ? [title, '', command.description(), '']
      : [
          title,
          '',
          command.description(),
          '',
          `\`${[...path, command.name()].join(' ')} ${command.usage()}\``,
          '',
        ];
  const flags = options.length
    ? table(
        ['flag', 'meaning'],
        options.map((option) => [
          `\`${option.flags}\``,
          `${option.description}${option.defaultValue === undefined || option.defaultValue === false ? '' : ` (default ${JSON.stringify(option.defaultValue)})`}`,
        ]),
      )
    : [];
  return [...head, ...flags, ...children.flatMap((child) => commands(child, name))];
}

function settings(): string[][] {
  return KEYS.map((key) => [
    `\`${key.cli ?? key.stored ?? key.name}\``,
    key.env ? `\`${key.env}\`` : '',
    key.stored ? `\`${key.stored}\`` : '',
    key.project ? `\`${key.project}\`` : '',
    key.secret || key.default === undefined ? '' : `\`${JSON.stringify(key.default)}\``,
    key.description,
  ]);
}

function table(head: string[], rows: string[][]): string[] {
  const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll(/(?<!\\)\|/g, '\\|');
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
    '',
  ];
}

if (process.argv[1] === import.meta.filename) {
  const text = await reference();
  if (process.argv.includes('--check')) {
    if (readFileSync(file, 'utf8') !== text) {
      console.error('docs/reference.md is stale: run npm run reference');
      process.exit(1);
    }
  } else writeFileSync(file, text);
}
