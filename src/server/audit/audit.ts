// Who did what, when: a line before every call that may change something and one after it, changes of keys, failed
// attempts to log in, and reads where they are wanted. Names of collections, never content. Kept apart from the request
// log, because it is kept longer and has to be whole: a change that cannot be written down is not made.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import type { Log } from '../log.ts';
import type { AccessScope } from '../../engine/call.ts';
import { rotatingFile, setAside, type Rotation } from '../rotating-file.ts';
import { createChain, verifyChains, type Verdict } from './chain.ts';

const AUDIT_FILE = 'mcp-audit.log';
const ROTATION: Rotation = { maxBytes: 20_000_000, keep: 20 };
/** How often the end of the chain is written to the log, in lines. */
const ANCHOR_EVERY = 1_000;

export type AuditEvent = 'start' | 'stop' | 'call' | 'done' | 'denied' | 'key' | 'holder';

export interface Audit {
  /** Throws `WRITE_FAILED` when the line cannot be written. */
  write(event: AuditEvent, data: Record<string, unknown>): void;
  /** For what has happened already: a line that cannot be written is an error in the log. */
  note(event: AuditEvent, data: Record<string, unknown>): void;
}

export const auditFile = (home: string): string => join(home, 'logs', AUDIT_FILE);

export function openAudit(file: string, log: Log, now: () => Date, rotation = ROTATION): Audit {
  const lines = rotatingFile(file, rotation, now);
  const chain = createChain();
  const append = (event: AuditEvent, data: Record<string, unknown>): void => {
    chain.link({ time: now().toISOString(), event, ...data }, (line) => lines.append(line));
    const head = chain.head();
    if (head.lines % ANCHOR_EVERY === 0 || event === 'stop') log.info('audit', head);
  };
  return {
    write(event, data) {
      try {
        append(event, data);
      } catch (cause) {
        log.error('the audit log cannot be written');
        throw new VaiError('WRITE_FAILED', 'The audit log cannot be written, so nothing was changed.', {
          hint: 'Free disk space on the server, or check the permissions of its log folder.',
          cause,
        });
      }
    },
    note(event, data) {
      try {
        append(event, data);
      } catch {
        log.error('the audit log cannot be written');
      }
    },
  };
}

/** All files there are, oldest first. */
export function verifyAudit(folder: string): Verdict {
  const file = join(folder, AUDIT_FILE);
  if (!existsSync(folder)) return { lines: 0, chains: 0, breaks: [] };
  const files = [...setAside(file), ...(existsSync(file) ? [file] : [])];
  return verifyChains(files.map((one) => readFileSync(one, 'utf8')));
}

/** A call about to run. */
export interface AuditedCall {
  tool: string;
  scope: AccessScope;
  /** Names the caller gave that say what is touched; never content. */
  touched: Record<string, string>;
}

/** Called once the call has ended. */
export type AuditedEnd = (ok: boolean) => void;

export type AuditCall = (call: AuditedCall) => AuditedEnd;

export function auditCalls(
  audit: Audit,
  caller: { key: string; address: string },
  { reads, now }: { reads: boolean; now: () => number },
): AuditCall {
  return ({ tool, scope, touched }) => {
    if (scope === 'read' && !reads) return () => {};
    const began = now();
    const call = { ...caller, tool };
    audit.write('call', { ...call, ...(Object.keys(touched).length > 0 ? { touched } : {}) });
    return (ok) => audit.note('done', { ...call, ok, ms: Math.round((now() - began) * 10) / 10 });
  };
}
