// The commands of `vai`, one file each; this is the list.

import { Command } from 'commander';
import { VERSION } from '../../version.ts';
import type { Frame } from '../frame.ts';
import { registerCollections } from './collections.ts';
import { registerGet } from './get.ts';
import { registerIngest } from './ingest.ts';
import { registerSearch } from './search.ts';

export async function buildVai(frame: Frame): Promise<Command> {
  const program = new Command('vai')
    .description(
      'A knowledge server for AI agents: search your documentation, files and notes by words, meaning and relations.',
    )
    .version(VERSION, '-V, --version')
    .showHelpAfterError('(run with --help for usage)')
    .showSuggestionAfterError(true);
  registerIngest(program, frame);
  registerSearch(program, frame);
  registerGet(program, frame);
  registerCollections(program, frame);
  return program;
}
