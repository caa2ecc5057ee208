// The training sections, as the packed files hold them; no judged set has their documents.

import { execFileSync } from 'node:child_process';

export interface Section {
  title: string;
  /** From the page's title to the section's own heading. */
  headings: string[];
  text: string;
  project: string;
}

/** The records of a packed file, one a line; `xz` has to be there. */
export function readXz<T>(file: string): T[] {
  const text = execFileSync('xz', ['-dc', file], { maxBuffer: 2 ** 30 }).toString('utf8');
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as T); // prettier-ignore
}
