// Which documents tell what changed and when (changelogs, release notes, dated posts), by their paths.

/** `CHANGES`, `HISTORY` and `NEWS` are such files in capitals only: `history.md` may describe a feature. */
const HISTORY_PATH =
  /(?:^|\/)(?:(?:[Cc]hange[-_]?[Ll]ogs?|CHANGE[-_]?LOG|[Rr]elease[-_]?[Nn]otes?|RELEASE[-_]?NOTES?|[Ww]hats?[-_]?[Nn]ew|CHANGES|HISTORY|NEWS)(?:[._/-][^/]*)?|\d{4}-\d{2}-\d{2}[^/]*)$|(?:^|\/)(?:change[-_]?logs?|release[-_]?notes?|releases|_posts|blog)\//;

export function isHistoryPath(path: string): boolean {
  return HISTORY_PATH.test(path);
}
