// Which documents speak of a project beside documenting it, by their paths.

/** `CHANGES`, `HISTORY` and `NEWS` are such files in capitals only: `history.md` may describe a feature. */
const HISTORY_PATH =
  /(?:^|\/)(?:(?:[Cc]hange[-_]?[Ll]ogs?|CHANGE[-_]?LOG|[Rr]elease[-_]?[Nn]otes?|RELEASE[-_]?NOTES?|[Ww]hats?[-_]?[Nn]ew|CHANGES|HISTORY|NEWS)(?:[._/-][^/]*)?|\d{4}-\d{2}-\d{2}[^/]*)$|(?:^|\/)(?:change[-_]?logs?|release[-_]?notes?|releases|_posts|blog)\//;
/** A page on upgrading from one version to another names one of them; one on upgrading a cluster is documentation. */
const UPGRADE = /(?:^|[-_])(?:upgrad(?:e|ing)|migrat(?:e|ion|ing))(?:[-_.]|$)/i;
/** A folder `specs` may hold a specification. */
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|test[-_]?data|testing|fixtures?|mocks?)\//i;
/** Below one of these a folder `testing` is a subject, also where its pages are plain texts. */
const DOCUMENTATION = /(?:^|\/)(?:docs?|documentation|guides?|handbook|manual|topics)\//i;
const PROSE =
  /\.(?:md|mdx|markdown|mdown|mkd|qmd|rmd|rst|rest|adoc|asciidoc|asc|org|ipynb|x?html?|pdf|docx)$/i;

/** What changed and when: changelogs, release notes, dated posts, guides from one version to the next. */
export function isHistoryPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return HISTORY_PATH.test(path) || (UPGRADE.test(name) && /\d/.test(name));
}

/** What tests are run on: logs, answers and settings that look like real ones. */
export function isTestData(path: string): boolean {
  const at = path.search(TEST_FOLDER);
  return at !== -1 && !PROSE.test(path) && !DOCUMENTATION.test(path.slice(0, at + 1));
}
