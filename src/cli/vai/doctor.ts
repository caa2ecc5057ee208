// vai doctor: what is wrong and the command that mends it; exit status 1 when something is.

import type { Command } from 'commander';
import { checkClients } from '../doctor/clients.ts';
import { checkConfig, checkHome } from '../doctor/home.ts';
import { checkCollections, checkModels, checkStore } from '../doctor/knowledge.ts';
import { checkKeys } from '../doctor/server.ts';
import type { Check, Finding } from '../doctor/finding.ts';
import type { Frame } from '../frame.ts';

const CHECKS: readonly Check[] = [
  checkHome,
  checkConfig,
  checkStore,
  checkCollections,
  checkModels,
  checkKeys,
  checkClients,
];

export function registerDoctor(program: Command, frame: Frame): void {
  program
    .command('doctor')
    .description('check store, index, models, keys, clients and permissions')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai doctor\n  $ vai doctor --json')
    .action((options: { json?: boolean }) => run(frame, options));
}

async function run(frame: Frame, options: { json?: boolean }): Promise<void> {
  const findings: Finding[] = [];
  for (const check of CHECKS) findings.push(...(await check(frame)));
  const wrong = findings.some((finding) => finding.state === 'problem');
  if (frame.wantsJson(options)) frame.printJson({ ok: !wrong, findings });
  else frame.print(findings.map((finding) => describe(frame, finding)).join('\n'));
  if (wrong) frame.fail(1);
}

function describe(frame: Frame, finding: Finding): string {
  const { terminal } = frame;
  const marks = { ok: terminal.green('✓'), warning: terminal.yellow('!'), problem: terminal.red('✗') };
  const line = `${marks[finding.state]} ${finding.about.padEnd(12)} ${finding.message}`;
  return finding.fix ? `${line}\n${' '.repeat(15)}→ ${finding.fix}` : line;
}
