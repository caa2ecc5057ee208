// Five kinds of queries drawn from the text itself with a fixed seed: headings, two common words, rare words,
// ten-word questions and single words.

import { random } from './random.ts';

export interface QuerySet {
  kind: string;
  queries: string[];
}

export function drawQueries(texts: readonly string[], each: number, seed = 7): QuerySet[] {
  const next = random(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const common = [...counts]
    .filter(([, n]) => n > texts.length * 0.1)
    .map(([word]) => word)
    .sort();
  const rare = [...counts]
    .filter(([, n]) => n >= 2 && n <= 5)
    .map(([word]) => word)
    .sort();
  const any = [...counts]
    .filter(([, n]) => n >= 3)
    .map(([word]) => word)
    .sort();
  const headings = texts.flatMap((text) =>
    [...text.matchAll(/^#{1,4} +(.{8,60})$/gm)].map((match) =>
      match[1]!.replaceAll(/[^\w\s.-]/g, ' ').trim(),
    ),
  );
  const sentences = texts.flatMap((text) => text.match(/[A-Z][a-z][^.\n|`]{60,200}\./g) ?? []);
  const repeat = (make: () => string) => Array.from({ length: each }, make);
  return [
    { kind: 'heading', queries: repeat(() => pick(headings)) },
    { kind: 'two common words', queries: repeat(() => `${pick(common)} ${pick(common)}`) },
    { kind: 'rare words', queries: repeat(() => `${pick(rare)} ${pick(any)}`) },
    {
      kind: 'ten-word question',
      queries: repeat(() =>
        pick(sentences)
          .split(/\s+/)
          .slice(0, 10)
          .join(' ')
          .replaceAll(/[^\w\s-]/g, ' '),
      ),
    },
    { kind: 'single word', queries: repeat(() => pick(any)) },
  ];
}
