// What other folders may import from the audit log.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_FILE } from './audit/audit.ts';
import { verifyChains, type Verdict } from './audit/chain.ts';
import { setAside } from './rotating-file.ts';

export { auditFile, openAudit } from './audit/audit.ts';

/** All files there are, oldest first. */
export function verifyAudit(folder: string): Verdict {
  const file = join(folder, AUDIT_FILE);
  if (!existsSync(folder)) return { lines: 0, chains: 0, breaks: [] };
  const files = [...setAside(file), ...(existsSync(file) ? [file] : [])];
  return verifyChains(files.map((one) => readFileSync(one, 'utf8')));
}
