// A source that suddenly lost most of its content is probably broken, so the new version is held until somebody
// confirms it.

import { VaiError } from '../../domain/errors.ts';

/** A source with less than this share of the old is held. */
const SHRINK_LIMIT = 0.5;

/** `unit` is what was counted: lines of a text, documents of a folder. */
export function requireMost(alias: string, was: number, now: number, unit: 'lines' | 'documents'): void {
  if (now >= was * SHRINK_LIMIT) return;
  throw new VaiError(
    'SHRINK_HELD',
    `The source now has ${now} ${unit} instead of ${was}; the old version was kept.`,
    { hint: `Run \`blz update ${alias} --force\` to accept it.` },
  );
}
