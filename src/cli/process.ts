// Ties a program to this process: its streams, its environment, its exit status.

import type { Command } from 'commander';
import { runProgram, type Frame, type FrameInput } from './frame.ts';

interface Program extends Pick<FrameInput, 'name' | 'uriChoosesStore'> {
  build: (frame: Frame, argv: readonly string[]) => Promise<Command>;
}

export async function runInProcess({ build, ...program }: Program): Promise<void> {
  quietExperimentalWarnings();
  endWhenUnheard(program.name);
  const { env, stdout, stderr, stdin } = process;
  const input = { ...program, env, cwd: process.cwd(), streams: { stdout, stderr, stdin } };
  process.exitCode = await runProgram(input, build, process.argv.slice(2));
}

/** Node 22 announces `node:sqlite` as experimental on every start; it is what we chose and tested. */
function quietExperimentalWarnings(): void {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const text = typeof warning === 'string' ? warning : warning.message;
    if (/SQLite is an experimental feature/.test(text)) return;
    (emit as (...values: unknown[]) => void)(warning, ...rest);
  };
}

/** `vai search … | head` closes the pipe early, which is not an error; a full disk is one. */
function endWhenUnheard(name: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    const reason = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
    process.stderr.write(`${name}: The output cannot be written: ${reason}.\n`);
    process.exit(1);
  });
}
