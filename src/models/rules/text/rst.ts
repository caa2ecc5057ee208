// Directives of reStructuredText: notes are text, code is code, tables are tables; pictures, contents and comments say
// nothing.

import { indentOf, readAt, type Reader } from './blocks.ts';

const TEXT = new Set(
  'note warning tip important caution hint attention danger seealso admonition topic sidebar only container tabs tab group-tab versionadded versionchanged deprecated glossary epigraph figure'.split(
    ' ',
  ),
);
const CODE = new Set('code-block code sourcecode mermaid uml graphviz parsed-literal highlight'.split(' '));

export function readDirective(reader: Reader, at: number, end: number): number {
  const line = reader.lines[at]!;
  const text = line.trimStart();
  if (!text.startsWith('..') || (text.length > 2 && text[2] !== ' ')) return 0;
  const stop = bodyEnd(reader.lines, at, end);
  const found = /^\.\. ([\w:-]{1,40}?):: *(.*)$/.exec(text);
  if (!found) return stop - at;
  const name = found[1]!.toLowerCase();
  const from = skipOptions(reader.lines, at + 1, stop);
  if (CODE.has(name)) {
    const language =
      name === 'mermaid' ? 'mermaid' : name === 'uml' ? 'plantuml' : found[2]!.trim().toLowerCase();
    reader.blocks.push({
      kind: 'fence',
      line: reader.startLine + from,
      language,
      text: reader.lines.slice(from, stop).join('\n'),
    });
  } else if (name === 'list-table') readListTable(reader, from, stop);
  else if (TEXT.has(name)) {
    if (found[2]!.trim() !== '' && name !== 'figure' && name !== 'only')
      reader.blocks.push({
        kind: 'paragraph',
        line: reader.startLine + at,
        text: found[2]!,
        indent: indentOf(line),
      });
    for (let next = from; next < stop;) next += readAt(reader, next, stop);
  }
  return stop - at;
}

function bodyEnd(lines: readonly string[], at: number, end: number): number {
  const indent = indentOf(lines[at]!);
  let stop = at + 1;
  let last = at;
  for (; stop < end; stop += 1) {
    const line = lines[stop]!;
    if (line.trim() === '') continue;
    if (indentOf(line) <= indent) break;
    last = stop;
  }
  return last + 1;
}

function skipOptions(lines: readonly string[], from: number, end: number): number {
  let at = from;
  while (at < end && /^ *:[\w-]+:/.test(lines[at]!)) at += 1;
  while (at < end && lines[at]!.trim() === '') at += 1;
  return at;
}

/** `* - cell` begins a row, `  - cell` a further cell. */
function readListTable(reader: Reader, from: number, end: number): void {
  const rows: { line: number; cells: string[] }[] = [];
  for (let at = from; at < end; at++) {
    const text = reader.lines[at]!.trim();
    if (text.startsWith('* - ') || text === '* -')
      rows.push({ line: reader.startLine + at, cells: [text.slice(4)] });
    else if (text.startsWith('- ') || text === '-') rows.at(-1)?.cells.push(text.slice(2));
    else if (text !== '' && rows.length > 0) {
      const { cells } = rows.at(-1)!;
      cells[cells.length - 1] = `${cells.at(-1)} ${text}`;
    }
  }
  const [head, ...body] = rows;
  if (head && body.length > 0)
    reader.blocks.push({ kind: 'table', line: head.line, header: head.cells, rows: body });
}
