// The newest lines of the audit log, for administrators. Only the end of the file is read.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 1_000_000;

export interface AuditLine {
  time: string;
  event: string;
  [name: string]: unknown;
}

export interface AuditWanted {
  limit: number;
  event?: string;
  /** Lines of this key, or about it. */
  key?: string;
}

/** Newest first. What proves the chain is left out: `vai mcp-server audit` looks at that. */
export function readAudit(file: string, { limit, event, key }: AuditWanted): AuditLine[] {
  const found: AuditLine[] = [];
  for (const text of tail(file).split('\n').reverse()) {
    if (found.length >= limit) break;
    const line = parse(text);
    if (!line) continue;
    const { chain: _, seq: __, prev: ___, hash: ____, ...shown } = line;
    if (event !== undefined && shown.event !== event) continue;
    if (key !== undefined && shown['key'] !== key && shown['id'] !== key) continue;
    found.push(shown);
  }
  return found;
}

function tail(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined for the half line that the end of the file may begin with. */
function parse(text: string): AuditLine | undefined {
  try {
    return JSON.parse(text) as AuditLine;
  } catch {
    return undefined;
  }
}
