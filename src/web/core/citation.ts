// A citation as this page needs it: taken apart from the right, as the server prints them.

export interface Citation {
  /** `collection` or `collection/path`. */
  name: string;
  collection: string;
  path: string;
  start: number;
  end: number;
}

const FORM = /^(.+):(\d{1,9})(?:-(\d{1,9}))?((?:,\d{1,9}(?:-\d{1,9})?)*)(?:@[0-9a-f]{6,8})?$/;

export function parseCitation(text: string): Citation | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const name = match[1]!;
  const slash = name.indexOf('/');
  const more = [...(match[4] ?? '').matchAll(/\d+/g)].map(Number);
  const start = Number(match[2]);
  return {
    name,
    collection: slash === -1 ? name : name.slice(0, slash),
    path: slash === -1 ? '' : name.slice(slash + 1),
    start,
    end: Math.max(Number(match[3] ?? match[2]), ...more),
  };
}

/** The same passage has the same key whether or not its citation is pinned to a text. */
export function citationKey(text: string): string {
  return text.replace(/@[0-9a-f]{6,8}$/, '');
}
