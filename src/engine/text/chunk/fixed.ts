// Consecutive windows: the next one starts where the last ended, less the overlap. A window end is moved back only to
// keep a code fence whole that fits, or to keep a character whole.

import { boundaryBefore, boundaryAfter, skipSpace, trimSpan, type Span } from './boundaries.ts';
import { firstFence, type Source } from './split.ts';

export interface Window extends Span {
  /** Where the part begins that no window before holds. */
  core: number;
  /** Where the section begins that it is a part of, its introduction included; none for one that stands for itself. */
  section?: number;
}

export function fixedWindows(source: Source, size: number, overlap: number): Window[] {
  const { text, fences } = source;
  const windows: Window[] = [];
  const last = text.trimEnd().length;
  let core = 0;
  for (;;) {
    const next = skipSpace(text, core, last);
    if (next.solid >= last) return windows;
    core = next.solid - next.start <= size / 4 ? next.start : next.solid;
    const before = windows.at(-1);
    let start = before ? boundaryAfter(text, Math.max(core - overlap, before.start + 1), core) : core;
    const own = fences[firstFence(fences, core)];
    if (own && own.start <= core && own.end > start + size && own.end - own.start <= size)
      start = Math.min(core, boundaryAfter(text, own.end - size, core));
    start = leaveFence(fences, start, core);
    let end = Math.min(start + size, last);
    const cut = fences[firstFence(fences, end - 1)];
    const keeps = cut && cut.start > core && cut.start < end && cut.end > end && cut.end - cut.start <= size;
    if (keeps) end = cut.start;
    else if (end < last) end = boundaryBefore(text, end, next.solid);
    windows.push({ ...(trimSpan(text, start, end) ?? { start, end }), core });
    core = end;
  }
}

/** An overlap does not begin inside a fence. */
function leaveFence(fences: readonly Span[], start: number, core: number): number {
  const fence = fences[firstFence(fences, start)];
  if (!fence || fence.start >= start || fence.start >= core) return start;
  return fence.end <= core ? fence.end : core;
}
