// What the development collections are made of: sections of whole projects that train.py leaves out with --hold-out.

import { execFileSync } from 'node:child_process';

export interface Section {
  title: string;
  /** From the page's title to the section's own heading. */
  headings: string[];
  text: string;
  project: string;
}

/** The same as in data.py. */
export const HELD_OUT = new Set(
  'cargo electron fastapi helm istio laravel prometheus ros2 scikit-learn sqlalchemy typescript vue webpack'.split(
    ' ',
  ),
);

export function readXz<T>(file: string): T[] {
  const text = execFileSync('xz', ['-dc', file], { maxBuffer: 2 ** 30 }).toString('utf8');
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as T); // prettier-ignore
}
