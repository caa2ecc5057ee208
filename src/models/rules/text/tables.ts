// Tables as documentation writes them: pipes in Markdown, `|===` in AsciiDoc, rules and grids in reStructuredText.

import type { Reader } from './blocks.ts';

const MAX_ROWS = 2000;

type Row = { line: number; cells: string[] };

/** A line of nothing but one punctuation mark. */
export function isRule(line: string): boolean {
  const text = line.trim();
  const mark = text[0];
  if (text.length < 3 || mark === undefined || !'=-~.^"\'`+#*:_'.includes(mark)) return false;
  for (const one of text) if (one !== mark) return false;
  return true;
}

/** Cells of a line with pipes; one that is escaped or stands in code does not separate. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let code = false;
  const text = line.trim();
  const last = text.length - 1;
  for (let at = text.startsWith('|') ? 1 : 0; at <= last; at++) {
    const one = text[at]!;
    if (one === '\\' && at < last) cell += text[++at]!;
    else if (one === '|' && !code) {
      cells.push(cell.trim());
      cell = '';
    } else {
      if (one === '`') code = !code;
      cell += one;
    }
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells;
}

function isSeparator(line: string): boolean {
  const text = line.trim();
  if (!text.includes('-') || !text.includes('|')) return false;
  for (const one of text) if (!'|-: +'.includes(one)) return false;
  return true;
}

export function readPipeTable(reader: Reader, at: number, end: number): number {
  const { lines, startLine, blocks } = reader;
  if (!lines[at]!.includes('|') || at + 1 >= end || !isSeparator(lines[at + 1]!)) return 0;
  const rows: Row[] = [];
  let stop = at + 2;
  while (stop < end && lines[stop]!.includes('|') && stop - at < MAX_ROWS) {
    rows.push({ line: startLine + stop, cells: cellsOf(lines[stop]!) });
    stop += 1;
  }
  blocks.push({ kind: 'table', line: startLine + at, header: cellsOf(lines[at]!), rows });
  return stop - at;
}

/** Cells begin with a pipe, in one line or one below the other; the first row tells how many there are. */
export function readAsciiTable(reader: Reader, at: number, end: number): number {
  const { lines, startLine, blocks } = reader;
  if (lines[at]!.trim() !== '|===') return 0;
  let stop = at + 1;
  const cells: { line: number; text: string }[] = [];
  let columns = 0;
  for (; stop < end && lines[stop]!.trim() !== '|==='; stop++) {
    const text = lines[stop]!.trim();
    if (text.startsWith('|'))
      for (const cell of cellsOf(text)) cells.push({ line: startLine + stop, text: cell });
    else if (text !== '' && cells.length > 0) cells.at(-1)!.text += ` ${text}`;
    if (columns === 0 && cells.length > 0) columns = cells.length;
  }
  const rows: Row[] = [];
  for (let from = columns; columns > 0 && from < cells.length && rows.length < MAX_ROWS; from += columns) {
    const part = cells.slice(from, from + columns);
    rows.push({ line: part[0]!.line, cells: part.map((cell) => cell.text) });
  }
  if (rows.length > 0)
    blocks.push({
      kind: 'table',
      line: startLine + at,
      header: cells.slice(0, columns).map((cell) => cell.text),
      rows,
    });
  return stop + 1 - at;
}

/** `=====  =====` above, below the head and at the end; or a grid of `+---+`. */
export function readSimpleTable(reader: Reader, at: number, end: number): number {
  const line = reader.lines[at]!.trim();
  if (line.startsWith('+--')) return readGrid(reader, at, end);
  if (!line.startsWith('==') || !line.includes(' ')) return 0;
  for (const one of line) if (one !== '=' && one !== ' ') return 0;
  const { lines, startLine, blocks } = reader;
  const starts = columnsOf(lines[at]!);
  const parts: Row[][] = [[]];
  let stop = at + 1;
  for (; stop < end && parts.length < 3 && stop - at < MAX_ROWS; stop++) {
    const text = lines[stop]!;
    if (text.trim() === '') continue;
    if (text.trim().startsWith('==') && !/[^= ]/.test(text)) {
      parts.push([]);
      continue;
    }
    const cells = starts.map((from, index) => text.slice(from, starts[index + 1]).trim());
    const row = parts.at(-1)!.at(-1);
    if (cells[0] === '' && row)
      row.cells = row.cells.map((cell, index) => `${cell} ${cells[index] ?? ''}`.trim());
    else parts.at(-1)!.push({ line: startLine + stop, cells });
  }
  const [head, body] = parts.length >= 2 && parts[1]!.length > 0 ? [parts[0]!, parts[1]!] : [[], parts[0]!];
  blocks.push({ kind: 'table', line: startLine + at, header: head[0]?.cells ?? [], rows: body });
  return stop - at;
}

function columnsOf(rule: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < rule.length; at++) if (rule[at] === '=' && rule[at - 1] !== '=') starts.push(at);
  return starts;
}

function readGrid(reader: Reader, at: number, end: number): number {
  const { lines, startLine, blocks } = reader;
  const rows: Row[] = [];
  let fresh = true;
  let stop = at;
  for (; stop < end && /^\s*[+|]/.test(lines[stop]!) && stop - at < MAX_ROWS; stop++) {
    if (lines[stop]!.trim().startsWith('+')) {
      fresh = true;
      continue;
    }
    const cells = cellsOf(lines[stop]!);
    const row = rows.at(-1);
    if (fresh || !row) rows.push({ line: startLine + stop, cells });
    else row.cells = row.cells.map((cell, index) => `${cell} ${cells[index] ?? ''}`.trim());
    fresh = false;
  }
  const [head, ...body] = rows;
  if (head && body.length > 0)
    blocks.push({ kind: 'table', line: head.line, header: head.cells, rows: body });
  return stop - at;
}
