// Versions of packages: which is newer, and how well the documentation of one fits an installed other.

export type VersionMatch = 'same' | 'compatible' | 'newer' | 'older' | 'unknown';

/** The numbers of a version, `v` and what follows `-` or `+` left out; none if it is not a version. */
function numbersOf(version: string): number[] {
  const core = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})/.exec(version.trim())?.[1];
  return core ? core.split('.').map(Number) : [];
}

/** Above zero where `a` is newer. A less precise version counts as equal. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1)
    if (left[at] !== right[at]) return left[at]! - right[at]!;
  // A release is newer than what came before it: 2.0.0 than 2.0.0-beta.
  return Number(b.includes('-')) - Number(a.includes('-'));
}

/** Whether a version is the one meant by `asked`, which may be less precise: 3 means 3.24.1. */
export function isVersion(version: string, asked: string): boolean {
  const [have, want] = [numbersOf(version), numbersOf(asked)];
  if (want.length === 0) return version === asked;
  return have.length > 0 && want.every((number, at) => have[at] === number || have[at] === undefined);
}

/** Documentation beside what is installed. Below 1.0 a second number breaks as a first one does above. */
export function versionMatch(docs: string | undefined, installed: string | undefined): VersionMatch {
  if (docs === undefined || installed === undefined) return 'unknown';
  const [left, right] = [numbersOf(docs), numbersOf(installed)];
  if (left.length === 0 || right.length === 0) return docs === installed ? 'same' : 'unknown';
  if (docs.replace(/^v/, '') === installed.replace(/^v/, '')) return 'same';
  const breaking = left[0] === 0 && right[0] === 0 ? 2 : 1;
  const compatible = left.slice(0, breaking).every((number, at) => number === (right[at] ?? number));
  if (compatible) return 'compatible';
  return compareVersions(docs, installed) > 0 ? 'newer' : 'older';
}

/** Short name of a version where several are listed: `3`, or `0-25` below 1.0. */
export function majorOf(version: string): string {
  const [major, minor] = numbersOf(version);
  if (major === undefined) return 'other';
  return major === 0 && minor !== undefined ? `0-${minor}` : String(major);
}
