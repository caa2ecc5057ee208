// The result of one check of `vai doctor`: its state, a sentence about it, and the command that fixes it.

import { toVaiError } from '../../domain/errors.ts';
import type { Frame } from '../frame.ts';

export interface Finding {
  /** What was looked at: store, models, keys, … */
  about: string;
  state: 'ok' | 'warning' | 'problem';
  message: string;
  /** A command to run, or a sentence on what to change. */
  fix?: string;
}

export type Check = (frame: Frame) => Promise<Finding[]>;

export const ok = (about: string, message: string): Finding => ({ about, state: 'ok', message });
export const warning = (about: string, message: string, fix?: string): Finding => ({
  about,
  state: 'warning',
  message,
  ...(fix ? { fix } : {}),
});
export const problem = (about: string, message: string, fix?: string): Finding => ({
  about,
  state: 'problem',
  message,
  ...(fix ? { fix } : {}),
});

/** A check that fails is a finding, not the end of the others. */
export async function attempt(about: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (thrown) {
    const error = toVaiError(thrown);
    return [problem(about, error.message, error.hint)];
  }
}
