// The read-only commands as text: what `run-command` answers and `blz stats|history|list|validate|inspect|schema`
// print. A command that ran and failed is a result with an exit status, not an error.

import { ERRORS, toVaiError } from '../../domain/errors.ts';
import type { ToolContext } from '../tool.ts';
import { historyText, inspectText, listText, statsText, validateText } from './reports.ts';
import { SCHEMA_TEXT } from './schema-text.ts';

export const COMMANDS = ['stats', 'history', 'list', 'validate', 'inspect', 'schema'] as const;
export type CommandName = (typeof COMMANDS)[number];

export interface CommandResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Keeps an answer within what a client accepts. */
const MAX_OUTPUT = 30_000;
const INTEGRITY = 7;

export async function runCommand(
  context: ToolContext,
  command: CommandName,
  source?: string,
): Promise<CommandResult> {
  const { mask } = context.engine.docs;
  try {
    const { text, exitCode } = await run(context, command, source);
    return { stdout: cut(mask(text)), stderr: '', exitCode };
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.code === 'CANCELLED' || error.code === 'INTERNAL') throw error;
    return { stdout: '', stderr: mask(error.messageAndHint), exitCode: ERRORS[error.code].exit };
  }
}

async function run(
  { engine, call }: ToolContext,
  command: CommandName,
  source: string | undefined,
): Promise<{ text: string; exitCode: number }> {
  const { docs } = engine;
  const ok = (text: string) => ({ text, exitCode: 0 });
  switch (command) {
    case 'stats': {
      if (source !== undefined) await docs.inspect(call, source);
      return ok(statsText(await docs.stats(call), source));
    }
    case 'history':
      return ok(historyText(await docs.history(call, { alias: source })));
    case 'list':
      return ok(listText(await docs.inspect(call, source)));
    case 'validate': {
      const reports = await docs.validate(call, { alias: source });
      const failed = reports.some((report) => report.status === 'error');
      return { text: validateText(reports), exitCode: failed ? INTEGRITY : 0 };
    }
    case 'inspect': {
      const details = await docs.inspect(call, source);
      const outline =
        source === undefined ? [] : await docs.outline(call, { alias: details[0]!.alias, maxDepth: 2 });
      return ok(inspectText(details, outline));
    }
    case 'schema':
      if (source !== undefined) await docs.inspect(call, source);
      return ok(SCHEMA_TEXT);
  }
}

function cut(text: string): string {
  if (text.length <= MAX_OUTPUT) return text;
  const end = text.lastIndexOf('\n', MAX_OUTPUT);
  const rest = text.slice(end + 1).split('\n').length;
  return `${text.slice(0, end)}\n… ${rest} more lines; the blz command line shows them all.`;
}
