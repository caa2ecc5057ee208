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

export function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

/** Random numbers that are the same every time. */
export function mulberry(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
