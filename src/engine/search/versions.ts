// Documentation that is kept for several versions has nearly the same page once for each (`v2.1/install.md`,
// `v2.2/install.md`). One of them is enough: that of the version the question names, or the newest.

import { compareText } from '../../domain/text.ts';
import { likeness, sketch } from './duplicates.ts';
import { isCode } from './rank-code.ts';
import type { Candidate } from './rerank.ts';

const VERSION = /^v?\d+(?:\.\d+)*(?:\.x)?$/;
/** Sections of two versions are the same section where they share so much; chapters 1 and 2 of a book do not. */
const ALIKE = 0.5;

interface Versioned {
  candidate: Candidate;
  /** What all versions of the page share: its address without the version, and the heading. */
  place: string;
  version: string;
  print: Uint32Array;
}

export interface Versions {
  /** The candidates, best first, without those that another version of the same page stands for. */
  choose(candidates: readonly Candidate[]): Candidate[];
  /** Takes down what an answer shows, so that nothing chosen later is another version of it. */
  show(candidates: readonly Candidate[]): void;
}

export function versionsFor(question: string): Versions {
  const shown: Versioned[] = [];
  const asked = new Set(question.match(/\d+(?:\.\d+)*/g));
  const order = (a: Versioned, b: Versioned): number =>
    Number(asked.has(bare(b.version))) - Number(asked.has(bare(a.version))) ||
    compareNumbers(b.version, a.version);
  return {
    choose(candidates) {
      const left = new Set<Candidate>();
      const known = Map.groupBy(shown, ({ place }) => place);
      for (const [place, group] of Map.groupBy(candidates.flatMap(versionedOf), ({ place }) => place)) {
        const kept = [...(known.get(place) ?? [])];
        for (const one of group.sort(order))
          if (kept.some((other) => areVersions(one, other))) left.add(one.candidate);
          else kept.push(one);
      }
      return candidates.filter((one) => !left.has(one));
    },
    show(candidates) {
      shown.push(...candidates.flatMap(versionedOf));
    },
  };
}

function areVersions(one: Versioned, other: Versioned): boolean {
  return one.version !== other.version && likeness(one.print, other.print) >= ALIKE;
}

function versionedOf(candidate: Candidate): Versioned[] {
  const { collection, path, headingPath, text } = candidate.chunk;
  const folders = path.split('/');
  const at = folders.findIndex((folder, place) => place < folders.length - 1 && VERSION.test(folder));
  if (at === -1 || isCode(candidate.chunk)) return [];
  const place = [collection, ...folders.with(at, '*'), headingPath.at(-1)].join('\n');
  return [{ candidate, place, version: folders[at]!, print: sketch(text) }];
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
