// Headers that say who is called and who calls must come once. Node keeps the first of several and drops the rest; a
// proxy in front may have looked at another one.

import { PASS, refuse, type Verdict } from './verdict.ts';

const SINGLE = new Set(['host', 'authorization', 'content-type']);

/** `rawHeaders` as Node gives them: names and values in turn. */
export function checkSingleHeaders(rawHeaders: readonly string[]): Verdict {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return refuse(400, 'headers', 'A header was sent twice.');
    seen.add(name);
  }
  return PASS;
}
