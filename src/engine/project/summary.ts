// A summary of a project's knowledge, short enough for an agent's instructions: each collection with its version and
// the headings that matter, each with a citation that opens it. The same knowledge gives the same bytes.

import { formatCitation } from '../../domain/citation.ts';
import { collapseSpace, compareText } from '../../domain/text.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, resolveCollections, type CollectionView } from '../scope.ts';
import { docsOf, versionFields } from './docs-version.ts';

/** Documents of a collection that are looked at, and headings of each. */
const MAX_DOCUMENTS = 200;
const MAX_HEADINGS = 60;
const MAX_TITLE = 70;
/** Of the headings of a text, these levels. */
const DEEPEST = 2;

/** Lines of Markdown within so many bytes; collections share the room. */
export async function summarise(deps: EngineDeps, call: Call, maxBytes: number): Promise<string> {
  const store = await openDatabase(deps, call);
  const { collections } = await resolveCollections(deps, store, call);
  const filled = collections
    .filter(({ stats }) => stats.documents > 0)
    .sort((a, b) => compareText(a.name, b.name));
  const versions = await versionFields(deps, filled);
  const parts = filled.map((collection) => {
    const { docsVersion, installedVersion } = versions(collection.name);
    return { collection, heading: headingOf(collection, docsVersion, installedVersion) };
  });
  const heads = parts.reduce((sum, { heading }) => sum + Buffer.byteLength(heading) + 2, 0);
  let room = maxBytes - heads;
  const blocks: string[] = [];
  for (const [at, { collection, heading }] of parts.entries()) {
    const share = Math.floor(room / (parts.length - at));
    const lines = share > 0 ? await fill(store, collection, share) : [];
    room -= lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    blocks.push([heading, ...lines].join('\n'));
  }
  let text = blocks.join('\n\n');
  // With very many collections even their names are too much.
  while (Buffer.byteLength(text) > maxBytes) text = text.slice(0, text.lastIndexOf('\n'));
  return text;
}

function headingOf(
  collection: CollectionView,
  docsVersion: string | undefined,
  installed: string | undefined,
): string {
  const docs = docsOf(collection);
  const of = docs?.package ? ` (${plain(docs.package)})` : '';
  const version = docsVersion ? ` ${plain(docsVersion)}` : docs ? ' newest' : '';
  const other = installed && installed !== docsVersion ? `, installed ${plain(installed)}` : '';
  return `### ${plain(collection.name)}${version}${of}${other}`;
}

async function fill(store: Store, collection: CollectionView, bytes: number): Promise<string[]> {
  const { documents } = await store.documents.list(collection.name, { limit: MAX_DOCUMENTS });
  const lines: string[] = [];
  let used = 0;
  const add = (line: string): boolean => {
    used += Buffer.byteLength(line) + 1;
    if (used > bytes) return false;
    lines.push(line);
    return true;
  };
  const one = documents.length === 1;
  for (const { path, title, lines: count } of documents) {
    const cited = (start: number, end: number): string =>
      formatCitation({ collection: collection.name, path, ranges: [{ start, end }] });
    if (!one) {
      if (!add(`- ${plain(title || path)} \`${cited(1, count)}\``)) break;
      continue;
    }
    const headings = (await store.documents.headings(collection.name, path)) ?? [];
    for (const { text, level, section } of headings
      .filter(({ level }) => level <= DEEPEST)
      .slice(0, MAX_HEADINGS))
      if (!add(`${'  '.repeat(level - 1)}- ${plain(text)} \`${cited(section.start, section.end)}\``)) break;
  }
  return lines;
}

/** Third-party text as part of one line: no Markdown or HTML markup, no invisible characters. */
function plain(text: string): string {
  const line = collapseSpace(text)
    .replaceAll(/[\p{C}]/gu, '')
    .replaceAll(/[`*_#[\]<>|!\\]/g, '')
    .trim();
  return [...line].slice(0, MAX_TITLE).join('') || '-';
}
