// The commands of documentation sources: all of `blz`, and `vai docs <command>`.

import type { Command } from 'commander';
import { registerDoctor } from '../doctor/command.ts';
import type { Frame } from '../frame.ts';
import { registerAdd } from './add.ts';
import { registerClear } from './clear.ts';
import { registerDiff } from './diff.ts';
import { registerGet } from './get.ts';
import { registerList } from './list.ts';
import { registerLookup } from './lookup.ts';
import { registerMap } from './map.ts';
import { registerRegistry } from './registry.ts';
import { registerRemove } from './remove.ts';
import { registerReports } from './reports.ts';
import { registerSearch } from './search.ts';
import { registerUpdate } from './update.ts';

export function registerDocsCommands(program: Command, frame: Frame): void {
  registerSearch(program, frame);
  registerGet(program, frame);
  registerList(program, frame);
  registerAdd(program, frame);
  registerUpdate(program, frame);
  registerRemove(program, frame);
  registerClear(program, frame);
  registerLookup(program, frame);
  registerRegistry(program, frame);
  registerMap(program, frame);
  registerDiff(program, frame);
  registerReports(program, frame);
  registerDoctor(program, frame);
}
