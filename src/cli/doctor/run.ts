// The checks of the doctor, one after the other; exit status 1 when something is wrong.

import { checkClients } from './clients.ts';
import { checkConfig, checkHome } from './home.ts';
import { checkCollections, checkModels, checkStore } from './knowledge.ts';
import { checkKeys } from './server.ts';
import { checkSources } from './sources.ts';
import type { Check, Finding } from './finding.ts';
import type { Frame } from '../frame.ts';

const CHECKS: readonly Check[] = [
  checkHome,
  checkConfig,
  checkStore,
  checkCollections,
  checkSources,
  checkModels,
  checkKeys,
  checkClients,
];

export async function runDoctor(frame: Frame, options: { json?: boolean }): Promise<void> {
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
  const line = `${marks[finding.state]} ${finding.about.padEnd(12)} ${withTimes(finding.message)}`;
  return finding.fix ? `${line}\n${' '.repeat(15)}→ ${finding.fix}` : line;
}

/** Times as a person reads them; the JSON keeps them whole. */
function withTimes(message: string): string {
  return message.replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z/g, '$1 $2 UTC');
}
