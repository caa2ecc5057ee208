// What changed between the newest archived text of a source and the present one, section by section. Sections are
// paired by heading path and occurrence, so an edit above moves them and does not change them.

import type { Heading } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import { formatRange, indexLines, sliceLines } from '../../domain/lines.ts';
import type { Store } from '../../ports/store.ts';
import { headingTree } from '../text/headings.ts';
import type { CollectionView } from '../scope.ts';
import type { DiffReport } from './types.ts';

export async function diffSource(
  store: Store,
  collection: CollectionView,
  { path = '', rev }: { path?: string | undefined; rev?: string | undefined } = {},
): Promise<DiffReport> {
  const alias = collection.name;
  const info = await store.documents.get(alias, path);
  const text = await store.documents.text(alias, path);
  if (!info || text === undefined) {
    const what = path === '' ? 'is not a source of one text' : `has no document \`${path.slice(0, 200)}\``;
    throw new VaiError('DOCUMENT_NOT_FOUND', `\`${alias}\` ${what}.`, {
      hint: 'Only sources of one text keep old versions.',
    });
  }
  const to = { rev: info.sha256.slice(0, 8), fetchedAt: info.fetchedAt, totalLines: info.lines };
  const versions = await store.versions.list(alias, path);
  const version = rev ? versions.find((one) => one.sha256.startsWith(rev)) : versions[0];
  if (!version) {
    if (rev)
      throw new VaiError('DOCUMENT_NOT_FOUND', `\`${alias}\` has no archived version @${rev.slice(0, 8)}.`, {
        suggestions: versions.slice(0, 5).map((one) => one.sha256.slice(0, 8)),
      });
    return { alias, from: null, to, moved: [], changed: [], added: [], removed: [] };
  }
  const before = (await store.versions.text(alias, path, version.sha256)) ?? '';
  const from = { rev: version.sha256.slice(0, 8), fetchedAt: version.fetchedAt, totalLines: version.lines };
  return { alias, from, to, ...diffTexts(before, text) };
}

interface Section {
  heading: Heading;
  text: string;
}

/** Pure: the sections that moved, changed, came and went. */
export function diffTexts(before: string, after: string): Omit<DiffReport, 'alias' | 'from' | 'to'> {
  const old = sectionsOf(before);
  const now = sectionsOf(after);
  const report: Omit<DiffReport, 'alias' | 'from' | 'to'> = {
    moved: [],
    changed: [],
    added: [],
    removed: [],
  };
  for (const [key, section] of now) {
    const headingPath = section.heading.path;
    const lines = formatRange(section.heading.block);
    const other = old.get(key);
    if (!other) report.added.push({ headingPath, lines });
    else {
      const from = formatRange(other.heading.block);
      if (other.text !== section.text) report.changed.push({ headingPath, from, to: lines });
      else if (other.heading.line !== section.heading.line)
        report.moved.push({ headingPath, from, to: lines });
    }
  }
  for (const [key, { heading }] of old)
    if (!now.has(key)) report.removed.push({ headingPath: heading.path, lines: formatRange(heading.block) });
  return report;
}

function sectionsOf(text: string): Map<string, Section> {
  const index = indexLines(text);
  const sections = new Map<string, Section>();
  const seen = new Map<string, number>();
  for (const heading of headingTree(text, 'markdown')) {
    const path = heading.path.join('\u0000');
    const occurrence = seen.get(path) ?? 0;
    seen.set(path, occurrence + 1);
    // A blank line more or less before the next heading is not a change.
    sections.set(`${path}\u0001${occurrence}`, {
      heading,
      text: sliceLines(text, heading.block, index).trimEnd(),
    });
  }
  return sections;
}
