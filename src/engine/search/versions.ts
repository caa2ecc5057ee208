// Documentation that is kept for several versions has nearly the same page once for each (`v2.1/install.md`,
// `v2.2/install.md`). One of them is enough: that of the version the question names, or the newest that says as much of
// what is asked.

import { oncePerKey } from '../../domain/once.ts';
import { stem } from '../../domain/stem.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import { compareText } from '../../domain/text.ts';
import { likeness, sketch } from './duplicates.ts';
import { isCode } from './rank-code.ts';
import type { Candidate } from './rerank.ts';

const VERSION = /^v?\d+(?:\.\d+)*(?:\.x)?$/;
const WORD = /[\p{L}\p{N}]+/gu;
/** Sections of two versions are the same section where they share so much; chapters 1 and 2 of a book do not. */
const ALIKE = 0.5;

interface Versioned {
  candidate: Candidate;
  /** What all versions of the page share: its address without the version, and the heading. */
  place: string;
  version: string;
  print: Uint32Array;
  /** Those of the question's words that it holds. */
  says: ReadonlySet<string>;
}

export interface Versions {
  /** The candidates, best first, without those that another version of the same page stands for. */
  choose(candidates: readonly Candidate[]): Candidate[];
  /** Takes down what an answer shows, so that nothing chosen later is another version of it. */
  show(candidates: readonly Candidate[]): void;
}

export function versionsFor(question: string): Versions {
  const shown: Versioned[] = [];
  const numbers = [...new Set(question.match(/\d+(?:\.\d+)*/g))];
  // Documentation of 2.1 is that of 2.1.3.
  const isAsked = oncePerKey((version: string): boolean =>
    numbers.some((number) => `${number}.`.startsWith(`${bare(version)}.`)),
  );
  // A batch is chosen from again and again while it grows.
  const versionedOf = oncePerKey(readerFor(question));
  const order = (a: Versioned, b: Versioned): number =>
    Number(isAsked(b.version)) - Number(isAsked(a.version)) || compareNumbers(b.version, a.version);
  return {
    choose(candidates) {
      const left = new Set<Candidate>();
      const known = Map.groupBy(shown, ({ place }) => place);
      for (const [place, group] of Map.groupBy(candidates.flatMap(versionedOf), ({ place }) => place)) {
        const kept = [...(known.get(place) ?? [])];
        for (const one of group.sort(order))
          // Who names two of them compares them.
          if (!isAsked(one.version) && kept.some((other) => standsFor(other, one))) left.add(one.candidate);
          else kept.push(one);
      }
      return candidates.filter((one) => !left.has(one));
    },
    show(candidates) {
      shown.push(...candidates.flatMap(versionedOf));
    },
  };
}

/** A newer page that lost what is asked, or another chapter, does not: sections of both share most of their words. */
function standsFor(other: Versioned, one: Versioned): boolean {
  return (
    one.version !== other.version &&
    [...one.says].every((word) => other.says.has(word)) &&
    likeness(one.print, other.print) >= ALIKE
  );
}

function readerFor(question: string): (candidate: Candidate) => Versioned[] {
  const rootOf = oncePerKey(stem);
  const rootsOf = (text: string): string[] => (text.toLowerCase().match(WORD) ?? []).map(rootOf);
  // Made when it is needed: most documentation is kept for one version only.
  let wanted: ReadonlySet<string> | undefined;
  const rootsAsked = (): ReadonlySet<string> => {
    const words = question.toLowerCase().match(WORD) ?? [];
    return new Set(words.filter((word) => !STOPWORDS.has(word)).map(rootOf));
  };
  return (candidate) => {
    const { collection, path, title, headingPath, text } = candidate.chunk;
    const folders = path.split('/');
    const at = folders.findIndex((folder, place) => place < folders.length - 1 && VERSION.test(folder));
    if (at === -1 || isCode(candidate.chunk)) return [];
    const place = [collection, ...folders.with(at, '*'), headingPath.at(-1)].join('\n');
    const said = rootsOf([title, ...headingPath, text].join('\n'));
    const asked = (wanted ??= rootsAsked());
    const says = new Set(said.filter((root) => asked.has(root)));
    return [{ candidate, place, version: folders[at]!, print: sketch(text), says }];
  };
}

const bare = (version: string): string => version.replace(/^v|\.x$/g, '');

function compareNumbers(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => bare(version).split('.').map(Number)) as [number[], number[]];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return compareText(a, b);
}
