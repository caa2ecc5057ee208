// Globs over file paths: `*` and `?` within a name, `**` across folders, `[a-z]`, `{a,b}`, `\` before a mark that is
// meant. A pattern may come from a stranger's repository, so it is not made into a regular expression: matching costs at
// most the length of the pattern times the length of the path.

import { VaiError } from '../../domain/errors.ts';

export type PathMatcher = (path: string) => boolean;

const MAX_LENGTH = 500;
/** Braces multiply: the characters of everything they stand for are bounded. */
const MAX_EXPANDED = 8 * MAX_LENGTH;

const STAR = Symbol('any number');
type CharTest = (char: string) => boolean;
type Name = string | (CharTest | typeof STAR)[];
/** One entry per name of the path; `STAR` is `**`. */
export type Glob = (Name | typeof STAR)[];

/** Matches whole paths with `/` between the names. */
export function globMatcher(pattern: string): PathMatcher {
  if (pattern.length > MAX_LENGTH)
    throw new VaiError('INVALID_INPUT', `A file pattern is longer than ${MAX_LENGTH} characters.`);
  const globs = expandBraces(pattern).map(compileGlob);
  return (path) => {
    const names = path.split('/');
    return globs.some((glob) => matchesGlob(glob, names));
  };
}

export function compileGlob(pattern: string): Glob {
  return splitNames(pattern).map((name) => (name === '**' ? STAR : compileName(name)));
}

export function matchesGlob(glob: Glob, names: readonly string[]): boolean {
  return fits(glob, names, matchesName);
}

function matchesName(name: Name, written: string): boolean {
  return typeof name === 'string' ? name === written : fits(name, written, (test, char) => test(char));
}

/** Whether items fit a pattern. Only the last star is ever tried at another length: an earlier one can change nothing. */
function fits<Part, Item>(
  pattern: readonly (Part | typeof STAR)[],
  items: ArrayLike<Item>,
  matches: (part: Part, item: Item) => boolean,
): boolean {
  let next = 0;
  let star = -1;
  let tried = 0;
  for (let at = 0; at < items.length;) {
    const part = pattern[next];
    if (part === STAR) {
      star = next++;
      tried = at;
    } else if (part !== undefined && matches(part, items[at]!)) {
      next += 1;
      at += 1;
    } else if (star === -1) return false;
    else {
      next = star + 1;
      at = tried += 1;
    }
  }
  while (pattern[next] === STAR) next += 1;
  return next === pattern.length;
}

/** At every slash that is neither escaped nor in a class. */
function splitNames(pattern: string): string[] {
  const names = [''];
  for (let at = 0; at < pattern.length; at += 1) {
    const end = pattern[at] === '\\' ? at + 1 : pattern[at] === '[' ? classEnd(pattern, at) : at;
    if (pattern[at] === '/') names.push('');
    else names[names.length - 1] += pattern.slice(at, Math.max(end, at) + 1);
    at = Math.max(end, at);
  }
  return names;
}

function compileName(name: string): Name {
  const parts: (CharTest | typeof STAR)[] = [];
  let literal = '';
  for (let at = 0; at < name.length; at += 1) {
    const char = name[at]!;
    const end = char === '[' ? classEnd(name, at) : -1;
    if (char === '*') {
      if (parts.at(-1) !== STAR) parts.push(STAR);
    } else if (char === '?') parts.push(() => true);
    else if (end !== -1) {
      parts.push(classTest(name.slice(at + 1, end)));
      at = end;
    } else {
      const meant = char === '\\' && at + 1 < name.length ? name[(at += 1)]! : char;
      literal += meant;
      parts.push((written) => written === meant);
    }
  }
  return literal.length === parts.length ? literal : parts;
}

/** Where a class that opens here closes; -1 when the bracket is only a bracket. */
function classEnd(pattern: string, open: number): number {
  const first = open + (isNegation(pattern[open + 1]) ? 2 : 1);
  // A closing bracket right after the opening one belongs to the class.
  for (let at = first + 1; at < pattern.length && pattern[at] !== '/'; at += 1) {
    if (pattern[at] === ']') return at;
    if (pattern[at] === '\\') at += 1;
  }
  return -1;
}

const isNegation = (char: string | undefined): boolean => char === '!' || char === '^';

function classTest(written: string): CharTest {
  const negated = isNegation(written[0]);
  const chars = (negated ? written.slice(1) : written).replaceAll(/\\(.)/gs, '$1');
  const ranges: [string, string][] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const isRange = chars[at + 1] === '-' && at + 2 < chars.length;
    ranges.push([chars[at]!, chars[isRange ? at + 2 : at]!]);
    if (isRange) at += 2;
  }
  return (char) => ranges.some(([from, to]) => from <= char && char <= to) !== negated;
}

/** `a.{md,txt}` as `a.md` and `a.txt`; a brace without a comma or an end is only a brace. */
function expandBraces(pattern: string): string[] {
  const expanded: string[] = [];
  const waiting = [pattern];
  let length = pattern.length;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const brace = firstBraces(next);
    if (!brace) {
      expanded.push(next);
      continue;
    }
    const { start, end, choices } = brace;
    const before = next.slice(0, start);
    const after = next.slice(end + 1);
    const chosen = choices.map((choice) => before + choice + after);
    length += chosen.reduce((sum, one) => sum + one.length, -next.length);
    if (length > MAX_EXPANDED)
      throw new VaiError('INVALID_INPUT', 'The braces of a file pattern stand for too many patterns.');
    waiting.push(...chosen);
  }
  return expanded;
}

function firstBraces(pattern: string): { start: number; end: number; choices: string[] } | undefined {
  const open: { start: number; commas: number[] }[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '\\') at += 1;
    else if (char === '{') open.push({ start: at, commas: [] });
    else if (char === ',') open.at(-1)?.commas.push(at);
    else if (char === '}' && open.length > 0) {
      const { start, commas } = open.pop()!;
      if (commas.length === 0) continue;
      // The innermost that is complete: what stands around it is looked at again afterwards.
      const ends = [...commas, at];
      const choices = ends.map((end, index) => pattern.slice((ends[index - 1] ?? start) + 1, end));
      return { start, end: at, choices };
    }
  }
  return undefined;
}
