// Who wrote what, when: one JSON line for every call that may change something, kept apart from the request log so that
// it can be kept longer. Names of collections, never content.

import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../engine/deps.ts';

export interface AuditLine {
  key: string;
  address: string;
  tool: string;
  ok: boolean;
  ms: number;
  touched: Record<string, string>;
}

export type Audit = (line: AuditLine) => void;

export function createAudit(file: string | undefined, log: Log, now: () => Date): Audit {
  if (!file) return () => {};
  let ready = false;
  return (line) => {
    try {
      if (!ready) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      ready = true;
      // One short append: lines of several workers do not mix.
      appendFileSync(file, `${JSON.stringify({ time: now().toISOString(), ...line })}\n`, { mode: 0o600 });
    } catch {
      log.error('the audit log cannot be written');
    }
  };
}
