// Which lines of an old text are which lines of a new one. Unique lines common to both are anchors (their longest
// increasing run), equal lines grow from the anchors, and the lines between two anchors are compared separately. Pure,
// and close to linear on whole documentation texts.

import { firstIndex } from '../../domain/first-index.ts';

export interface Alignment {
  /** For each old line (from 0): the new line it became, or -1. */
  readonly to: Int32Array;
}

/** Largest gap that is compared line by line: old lines times new lines. */
const MAX_CELLS = 1_000_000;

export function alignLines(before: readonly string[], after: readonly string[]): Alignment {
  const to = new Int32Array(before.length).fill(-1);
  for (const [old, now] of anchors(before, after)) to[old] = now;
  grow(before, after, to);
  fillGaps(before, after, to);
  return { to };
}

/** Lines that occur once in both texts, in the longest order both share. */
function anchors(before: readonly string[], after: readonly string[]): [number, number][] {
  const there = onceIn(after);
  const pairs: [number, number][] = [];
  for (const [line, old] of onceIn(before)) {
    const now = there.get(line);
    if (now !== undefined) pairs.push([old, now]);
  }
  return longestRun(pairs);
}

/** The place of every line that occurs once, in their order. */
function onceIn(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  lines.forEach((line, at) => {
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  });
  for (const line of repeated) places.delete(line);
  return places;
}

/** Longest strictly increasing run of the second numbers (patience sorting). */
function longestRun(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, now], at) => {
    const length = firstIndex(tops.length, (top) => pairs[tops[top]!]![1] >= now);
    if (length > 0) previous[at] = tops[length - 1]!;
    tops[length] = at;
  });
  const run: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at !== -1; at = previous[at]!) run.push(pairs[at]!);
  return run.reverse();
}

/** Equal neighbours of a known pair belong together, and so do equal beginnings and ends. */
function grow(before: readonly string[], after: readonly string[], to: Int32Array): void {
  let known = -1;
  let now = -1;
  // For each old line, the new line of the nearest known pair above it: growing upwards must not pass it.
  const above = new Int32Array(before.length);
  before.forEach((line, old) => {
    above[old] = now;
    if (to[old] !== -1) [known, now] = [old, to[old]!];
    else if (old === known + 1 && line === after[now + 1]) {
      to[old] = now + 1;
      [known, now] = [old, now + 1];
    }
  });
  known = before.length;
  now = after.length;
  for (let old = before.length - 1; old >= 0; old--) {
    if (to[old] !== -1) [known, now] = [old, to[old]!];
    else if (old === known - 1 && now - 1 > above[old]! && before[old] === after[now - 1]) {
      to[old] = now - 1;
      [known, now] = [old, now - 1];
    }
  }
}

/** Compares the lines between two known pairs; what follows the last lines counts as one. */
function fillGaps(before: readonly string[], after: readonly string[], to: Int32Array): void {
  let old = 0;
  let now = 0;
  [...to, after.length].forEach((nowEnd, oldEnd) => {
    if (nowEnd === -1) return;
    const cells = (oldEnd - old) * (nowEnd - now);
    if (cells && cells <= MAX_CELLS)
      commonLines(before.slice(old, oldEnd), after.slice(now, nowEnd), (a, b) => {
        to[old + a] = now + b;
      });
    old = oldEnd + 1;
    now = nowEnd + 1;
  });
}

/** Longest common subsequence of two short lists. */
function commonLines(
  a: readonly string[],
  b: readonly string[],
  found: (a: number, b: number) => void,
): void {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i * width + j] =
        a[i] === b[j]
          ? best[(i + 1) * width + j + 1]! + 1
          : Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
  for (let i = 0, j = 0; best[i * width + j]! > 0;) {
    if (a[i] === b[j]) found(i++, j++);
    else if (best[(i + 1) * width + j]! >= best[i * width + j + 1]!) i += 1;
    else j += 1;
  }
}
