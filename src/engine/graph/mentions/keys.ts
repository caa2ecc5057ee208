// What the names, headings, code and links of a text are called in the mention index.

import { detached, withoutTrailing } from '../../../domain/text.ts';
import { graphKey } from '../../../domain/name-key.ts';

/** Keys with this mark say what a chunk is about (its own heading), not what it mentions. */
export const TOPIC = '#';

const MAX_KEY = 80;

/** The keys of a heading; every chunk below it has them. */
const headings = new Map<string, string[]>();
const MAX_HEADINGS = 2_000;

export function addHeadings(keys: Set<string>, path: readonly string[]): void {
  for (const [at, heading] of path.entries())
    for (const key of keysOfHeading(heading)) {
      keys.add(key);
      if (at === path.length - 1) keys.add(TOPIC + key);
    }
}

function keysOfHeading(heading: string): string[] {
  let found = headings.get(heading);
  if (!found) {
    found = headingKeys(heading);
    if (headings.size >= MAX_HEADINGS) headings.clear();
    headings.set(detached(heading), found);
  }
  return found;
}

function headingKeys(heading: string): string[] {
  const plain = heading.replaceAll(/[`*]/g, '').replace(/^\d+(?:\.\d+)*[.)]?\s+/, '');
  const bare = withoutAside(plain);
  return (plain === bare ? [plain] : [plain, bare])
    .map((form) => graphKey(form.replaceAll(/[^\p{L}\p{N}\s._&/'’-]|\.(?=\s|$)/gu, '')))
    .filter((key) => key.length >= 2 && key.length <= MAX_KEY);
}

/** Without the brackets a heading ends with: `Streams (experimental)` is about streams. */
function withoutAside(heading: string): string {
  const text = heading.trimEnd();
  const open = text.lastIndexOf('(');
  const whole = open !== -1 && text.indexOf(')', open) === text.length - 1;
  return whole ? text.slice(0, open).trimEnd() : heading;
}

export function addIdentifier(keys: Set<string>, code: string): void {
  const name = code
    .split('(', 1)[0]!
    .replace(/^[-.$@]+/, '')
    .trim();
  if (name.length > 1 && /\p{L}/u.test(name) && name.split(/\s+/).length <= 3) add(keys, name);
}

export function addLabel(keys: Set<string>, label: string, target: string): void {
  const plain = label.replaceAll(/[`*]/g, '').trim();
  if (/\p{L}/u.test(plain) && plain.split(/\s+/).length <= 6) add(keys, plain);
  addTarget(keys, target);
}

/** A link names its page by the last part of its path, and the place in it by the anchor. */
export function addTarget(keys: Set<string>, target: string): void {
  const [address = '', anchor = ''] = target.split('#');
  const path = withoutTrailing(address.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?', 1)[0]!, '/');
  const last = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z0-9]{1,5}$/i, '');
  for (const part of [last, anchor]) {
    if (
      part.length < 3 ||
      part.length > MAX_KEY ||
      !/^[\p{L}\p{N}._-]+$/u.test(part) ||
      /^index$/i.test(part)
    )
      continue;
    add(keys, part);
  }
}

export function add(keys: Set<string>, name: string): void {
  const key = graphKey(name);
  if (key.length > 1 && key.length <= MAX_KEY) keys.add(key);
}
