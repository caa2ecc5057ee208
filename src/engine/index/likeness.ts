// A file that was renamed and edited between two runs: its document is the one whose file is gone and that has nearly
// all of its lines. So citations of it are followed, as those of a file that was only renamed.

import { once } from '../../domain/once.ts';
import type { Store } from '../../ports/store.ts';

/** Documents compared: more are gone where folders were exchanged, not where files were renamed. */
const MAX_GONE = 200;
/** Of one text, and of all that are kept in memory. */
const MAX_CHARACTERS = 1_000_000;
const MAX_KEPT = 10_000_000;
/** Of the lines of the longer one: reports that are written after one pattern share half of theirs, and are no renames. */
const MOST = 0.75;
const FEWEST_LINES = 2;

/** `gone`: the documents whose files are gone, asked when the first file is looked at. */
export function likeness(
  store: Pick<Store, 'documents'>,
  collection: string,
  gone: () => readonly string[],
): (text: string) => Promise<string | undefined> {
  const load = once(async () => {
    const paths = gone();
    const having = new Map<string, string[]>();
    const sizes = new Map<string, number>();
    let room = MAX_KEPT;
    for (const path of paths.length > MAX_GONE ? [] : paths) {
      const text = (await store.documents.text(collection, path)) ?? '';
      if ((room -= text.length) < 0) break;
      const lines = linesOf(text);
      sizes.set(path, lines.size);
      for (const line of lines) {
        const others = having.get(line);
        if (others) others.push(path);
        else having.set(line, [path]);
      }
    }
    return { having, sizes };
  });
  return async (text) => {
    const { having, sizes } = await load();
    if (sizes.size === 0) return undefined;
    const lines = linesOf(text);
    const shared = new Map<string, number>();
    for (const line of lines)
      for (const path of having.get(line) ?? []) shared.set(path, (shared.get(path) ?? 0) + 1);
    const [best] = [...shared].toSorted(([, a], [, b]) => b - a);
    if (!best || best[1] < FEWEST_LINES) return undefined;
    return best[1] >= MOST * Math.max(lines.size, sizes.get(best[0])!) ? best[0] : undefined;
  };
}

/** Each once; signs alone, as between the cells of a table, say nothing. */
function linesOf(text: string): Set<string> {
  if (text.length > MAX_CHARACTERS) return new Set();
  const lines = text.split('\n').map((line) => line.trim());
  return new Set(lines.filter((line) => /[\p{L}\p{N}]{2}/u.test(line)));
}
