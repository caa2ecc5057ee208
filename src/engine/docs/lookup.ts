// Finding registry entries: exactly for adding (a wrong guess would install the wrong documentation), fuzzily for
// looking around. Pure.

import { editDistance } from '../../domain/nearest.ts';
import type { RegistryEntry } from '../../ports/registry.ts';

/** The entry whose id, or one of whose package names, is exactly this; never a near one. */
export function exactEntry(entries: readonly RegistryEntry[], name: string): RegistryEntry | undefined {
  const wanted = name.toLowerCase();
  return (
    entries.find((entry) => entry.id.toLowerCase() === wanted) ??
    entries.find((entry) => packageNames(entry).some((one) => one.toLowerCase() === wanted))
  );
}

export interface Match {
  entry: RegistryEntry;
  /** 0 to 100. */
  score: number;
}

/** Best first: exact, beginning, containing, a typo away; words of several are matched one by one. */
export function lookup(entries: readonly RegistryEntry[], query: string, limit = 10): Match[] {
  const words = query
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, 16);
  if (words.length === 0) return [];
  const found: Match[] = [];
  for (const entry of entries) {
    const scores = words.map((word) => scoreWord(entry, word));
    if (scores.some((score) => score === 0)) continue;
    found.push({ entry, score: Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length) });
  }
  found.sort((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? -1 : 1));
  return found.slice(0, limit);
}

function scoreWord(entry: RegistryEntry, word: string): number {
  const names = [entry.id, entry.name, ...packageNames(entry)].map((name) => name.toLowerCase());
  if (names.includes(word)) return 100;
  if (names.some((name) => name.startsWith(word))) return 85;
  if (entry.tags.some((tag) => tag.toLowerCase() === word) || entry.category.toLowerCase() === word)
    return 70;
  if (names.some((name) => name.includes(word))) return 60;
  const near = word.length >= 5 ? 2 : word.length === 4 ? 1 : 0;
  if (near > 0 && names.some((name) => editDistance(word, name, near) <= near)) return 50;
  return entry.description.toLowerCase().includes(word) ? 40 : 0;
}

function packageNames(entry: RegistryEntry): string[] {
  return Object.values(entry.aliases).flat();
}

/** What `filter` of a listing looks at. */
export function mentions(entry: RegistryEntry, filter: string): boolean {
  const texts = [entry.id, entry.name, entry.description, ...entry.tags, ...packageNames(entry)];
  return texts.some((text) => text.toLowerCase().includes(filter));
}
