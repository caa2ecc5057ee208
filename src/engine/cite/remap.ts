// Follows a pinned citation into the current text. The archive holds replaced texts; if a version is no longer
// archived, all we can say is that it is old.

import type { Resolution } from '../../domain/citation.ts';
import { indexLines, formatRange, type LineRange } from '../../domain/lines.ts';
import { plural } from '../../domain/text.ts';
import { resolveLines } from './resolve-lines.ts';
import type { Store } from '../../ports/store.ts';
import type { Located } from './locate.ts';

export interface Remapped {
  /** Where the lines are now; as cited when the citation is not pinned or cannot be followed. */
  range: LineRange;
  status?: Resolution['status'];
  notice?: { code: string; message: string };
  /** The old text, when the cited lines exist nowhere else. */
  archived?: string;
  archivedLines: number;
}

export async function remap(store: Store, located: Located, range: LineRange): Promise<Remapped> {
  const { citation, info } = located;
  const { hash } = citation;
  const as = (rest: Partial<Remapped>): Remapped => ({ range, archivedLines: 0, ...rest });
  if (!hash) return as({});
  if (info.sha256.startsWith(hash)) return as({ status: 'same' });
  const before = await store.versions.text(info.collection, info.path, hash);
  if (before === undefined) {
    return as({
      notice: {
        code: 'stale_citation',
        message: `The text with the hash @${hash} is not kept; these are the lines of the current text.`,
      },
    });
  }
  const after = (await store.documents.text(info.collection, info.path)) ?? '';
  const resolution = resolveLines(before, after, range);
  switch (resolution.status) {
    case 'same':
      return as({ status: 'same' });
    case 'moved':
      return as({
        range: resolution.range,
        status: 'moved',
        notice: {
          code: 'remapped',
          message: `Lines ${formatRange(range)} of @${hash} are now ${formatRange(resolution.range)}.`,
        },
      });
    case 'changed':
      return as({
        range: resolution.range,
        status: 'changed',
        notice: { code: 'changed', message: changedMessage(range, hash, resolution) },
      });
    case 'gone':
      return as({
        status: 'gone',
        archived: before,
        archivedLines: indexLines(before).count,
        notice: {
          code: 'stale_citation',
          message: `These lines are gone from the current text; they are shown from the archived version @${hash}.`,
        },
      });
  }
}

function changedMessage(
  range: LineRange,
  hash: string,
  change: Extract<Resolution, { status: 'changed' }>,
): string {
  return (
    `Lines ${formatRange(range)} of @${hash} are now ${formatRange(change.range)}, ` +
    `with ${plural(change.removed.length, 'line')} removed and ${plural(change.added.length, 'line')} added.`
  );
}
