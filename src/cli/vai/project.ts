// The project of the working directory, for the commands that keep its knowledge up to date.

import type { Settings } from '../../config/index.ts';
import type { SyncOutcome } from '../../engine/project/sync.ts';
import { usage, type Frame } from '../frame.ts';
import type { Terminal } from '../terminal.ts';

export async function projectHere(frame: Frame): Promise<NonNullable<Settings['project']>> {
  const { project } = await frame.settings();
  if (project) return project;
  throw usage('There is no .vai.json here or above.', 'Write one with `vai init`.');
}

export function outcomeMark({ red, yellow, green }: Terminal, action: SyncOutcome['action']): string {
  if (action === 'failed') return red('✗');
  return action === 'leave' ? yellow('–') : green('✓');
}
