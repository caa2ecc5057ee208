// What every command shares: settings, an engine opened on demand, output for a person or a pipe, a progress bar, and
// one place where an error becomes a message and an exit status.

import { Help, type Command, type HelpConfiguration } from 'commander';
import type { Settings, Values } from '../config/index.ts';
import { describeError, ERRORS, toVaiError, VaiError } from '../domain/errors.ts';
import { localCall, type Call } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { fileError } from './file-error.ts';
import { createBar } from './progress.ts';
import { describeTerminal, forTerminal, type StreamInfo, type Terminal } from './terminal.ts';

interface Streams {
  stdout: StreamInfo & { write(text: string): unknown };
  stderr: StreamInfo & { write(text: string): unknown };
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
}

export interface FrameInput {
  /** `vai`, `blz` or `flowrag-mcp`: what messages call the command. */
  name: string;
  env: Record<string, string | undefined>;
  cwd: string;
  streams: Streams;
  /** Whether a MongoDB URI alone selects that store. */
  uriChoosesStore: boolean;
}

export interface Frame extends FrameInput {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  settings(flags?: Partial<Record<keyof Values, unknown>>): Promise<Settings>;
  /** From now on a debug log goes to standard error. */
  verbose(): void;
  /** Composes the engine at first use; closed when the command ends. */
  engine(): Promise<Engine>;
  /** A call of the local user. */
  call(): Call;
  /** Runs work whose progress is a bar on a terminal, gone when the work ends. */
  withBar<Result>(work: (call: Call) => Promise<Result>): Promise<Result>;
  /** JSON when asked for or when standard output is a pipe. */
  wantsJson(options: { json?: boolean }): boolean;
  print(text: string): void;
  printJson(value: unknown): void;
  note(text: string): void;
  readonly exitCode: number;
  fail(status: number): void;
}

export function createFrame(input: FrameInput, signal: AbortSignal): Frame & { close(): Promise<void> } {
  const { streams } = input;
  let engine: Promise<Engine> | undefined;
  let exitCode = 0;
  let verbose = false;
  return {
    ...input,
    signal,
    terminal: describeTerminal(streams.stdout, input.env),
    async settings(flags) {
      const { resolveSettings } = await import('../config/index.ts');
      return resolveSettings({
        flags: { ...flags, ...(verbose ? { verbose } : {}) },
        env: input.env,
        cwd: input.cwd,
        uriChoosesStore: input.uriChoosesStore,
      });
    },
    verbose() {
      verbose = true;
    },
    async engine() {
      engine ??= this.settings().then(async (settings) => {
        for (const warning of settings.warnings) this.note(warning);
        const { composeEngine } = await import('../compose.ts');
        return composeEngine({ settings, env: input.env, cwd: input.cwd });
      });
      return engine;
    },
    call: () => localCall({ signal, atTerminal: true }),
    async withBar(work) {
      const bar = createBar(streams.stderr);
      const progress: Call['progress'] = (one) => bar.update(one);
      return work({ ...this.call(), progress }).finally(() => bar.end());
    },
    wantsJson: (options) => options.json ?? !streams.stdout.isTTY,
    print(text) {
      const shown = streams.stdout.isTTY ? forTerminal(text) : text;
      streams.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    },
    printJson: (value) => void streams.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    note: (text) => void streams.stderr.write(`${streams.stderr.isTTY ? forTerminal(text) : text}\n`),
    get exitCode() {
      return exitCode;
    },
    fail(status) {
      exitCode = status;
    },
    async close() {
      await (await engine?.catch(() => undefined))?.close();
    },
  };
}

/** Narrower than this, a description goes below its term instead of beside it. */
const DESCRIPTION_WIDTH = 24;

/** Descriptions wrap at every width; commander stops wrapping where little room is left beside the longest term. */
const HELP: HelpConfiguration = {
  minWidthToWrap: 12,
  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? 80;
    if (width - termWidth - 4 >= DESCRIPTION_WIDTH || description === '')
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    const below = helper.boxWrap(description, width - 6);
    return `  ${term}\n${below.replaceAll(/^/gm, '      ')}`;
  },
};

/** Parses and runs; returns the exit status. Every error of every command ends here. */
export async function runProgram(
  input: FrameInput,
  build: (frame: Frame, argv: readonly string[]) => Command | Promise<Command>,
  argv: readonly string[],
): Promise<number> {
  const controller = new AbortController();
  const stop = () => controller.abort(new DOMException('Interrupted', 'AbortError'));
  process.once('SIGINT', stop);
  const frame = createFrame(input, controller.signal);
  try {
    const program = (await build(frame, argv))
      .exitOverride()
      .configureHelp(HELP)
      .configureOutput({
        getOutHelpWidth: () => frame.terminal.width,
        writeOut: (text) => void input.streams.stdout.write(text),
        writeErr: (text) => void input.streams.stderr.write(text),
      });
    overrideExit(program);
    await program.parseAsync([...argv], { from: 'user' });
    return frame.exitCode;
  } catch (thrown) {
    if (!controller.signal.aborted) return reportError(frame, thrown);
    frame.note(`${frame.name}: Stopped.`);
    // What a shell expects of a command that ^C has stopped.
    return 130;
  } finally {
    process.removeListener('SIGINT', stop);
    await frame.close().catch(() => undefined);
  }
}

function overrideExit(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().copyInheritedSettings(command);
    overrideExit(child);
  }
}

function reportError(frame: Frame, thrown: unknown): number {
  const commander = thrown as { code?: unknown; exitCode?: unknown };
  if (typeof commander?.code === 'string' && commander.code.startsWith('commander.')) {
    return commander.exitCode === 0 ? 0 : 2;
  }
  const error = fileError(thrown) ?? toVaiError(thrown);
  const paint = describeTerminal(frame.streams.stderr, frame.env);
  const lines = [paint.red(`${frame.name}: ${error.message}`)];
  if (error.hint) lines.push(`  ${error.hint}`);
  if (frame.env.VAI_DEBUG && error.cause instanceof Error) lines.push(String(error.cause.stack));
  frame.note(lines.join('\n'));
  if (frame.env.VAI_ERROR_JSON) frame.printJson({ error: describeError(error) });
  return ERRORS[error.code].exit;
}

export function usage(message: string, hint?: string): VaiError {
  return new VaiError('INVALID_INPUT', message, hint ? { hint } : {});
}

/** A whole number from a flag, within bounds. */
export function integer(name: string, low: number, high: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < low || number > high) {
      throw usage(`${name} takes a whole number from ${low} to ${high}.`);
    }
    return number;
  };
}

/** An amount from a flag. */
export function dollars(name: string): (value: string) => number {
  return decimal(1_000_000, `${name} takes dollars, for example 0.50.`);
}

export function share(name: string): (value: string) => number {
  return decimal(1, `${name} takes a number from 0 to 1.`);
}

function decimal(high: number, refusal: string): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() === '' || !(number >= 0 && number <= high)) throw usage(refusal);
    return number;
  };
}

/** One of a list of names; `what` is what the list has: a format, a context. */
export function oneOf<Name extends string>(names: readonly Name[], value: string, what: string): Name {
  const known = names.find((name) => name === value);
  if (known) return known;
  throw usage(`\`${value}\` is not a ${what}.`, `Use one of ${names.join(', ')}.`);
}

/** A flag that may be repeated or hold a comma list. */
export function list(value: string, previous: string[] = []): string[] {
  return [
    ...previous,
    ...value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ];
}
