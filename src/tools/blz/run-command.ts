// run-command: six read-only commands by name. They run in this process; there is no shell and nothing else to reach.

import * as z from 'zod';
import { VaiError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import { defineTool } from '../tool.ts';
import { ANY, quoting, READ_ONLY } from './answer.ts';
import { COMMANDS, runCommand, type CommandName } from './commands.ts';
import { text } from './input.ts';

const runCommandInput = z.strictObject({
  command: text(100).meta({ enum: [...COMMANDS] }),
  source: text(200).optional(),
});

export const runCommandTool = defineTool({
  name: 'run-command',
  description: 'Run a read-only blz command.',
  input: runCommandInput,
  output: ANY,
  quotes: true,
  annotations: READ_ONLY,
  scope: 'read',
  async run({ command, source }, { engine, call }) {
    if (!(COMMANDS as readonly string[]).includes(command)) {
      throw new VaiError('COMMAND_NOT_ALLOWED', `\`${command.slice(0, 60)}\` cannot be run from here.`, {
        hint: `Allowed: ${COMMANDS.join(', ')}. Everything else is for the blz command line.`,
        suggestions: nearest(command, COMMANDS),
      });
    }
    return quoting(await runCommand({ engine, call }, command as CommandName, source));
  },
});
