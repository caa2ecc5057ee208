// Where the pages of a document begin, and by which names they are asked for. Most documents are one page; a text with
// several top headings, as documentation in one file has, is one page each. In source code each definition is.

import { pageNames } from '../../domain/subject.ts';
import { definitionKey } from '../../domain/symbols.ts';
import type { DocumentWrite, PageStart } from '../../ports/store.ts';

export function pagesOf({ info, headings, chunks }: Omit<DocumentWrite, 'pages'>): PageStart[] {
  if (chunks[0]?.defines) return definitions(chunks);
  const starts = new Map<number, Set<string>>();
  const add = (ordinal: number, title: string): void => {
    const names = starts.get(ordinal) ?? new Set();
    for (const name of pageNames(title)) names.add(name);
    if (names.size > 0) starts.set(ordinal, names);
  };
  if (chunks.length > 0 && info.title !== fileName(info)) add(0, info.title);
  // Windows of lines stand where there are no headings; they name nothing.
  const tops = info.headings === 0 ? [] : headings.filter(({ level }) => level === 1);
  let ordinal = 0;
  for (const { line, text } of tops.length > 1 ? tops : []) {
    while (ordinal + 1 < chunks.length && chunks[ordinal]!.endLine < line) ordinal += 1;
    add(ordinal, text);
  }
  return [...starts].map(([ordinal, names]) => ({ ordinal, names: [...names] }));
}

function definitions(chunks: DocumentWrite['chunks']): PageStart[] {
  return chunks.flatMap(({ ordinal, defines }) =>
    defines?.length ? [{ ordinal, names: defines.map(definitionKey) }] : [],
  );
}

/** What a document is called that nothing names. */
export function fileName({ path, collection }: { path: string; collection: string }): string {
  const place = path || collection;
  return place.slice(place.lastIndexOf('/') + 1);
}
