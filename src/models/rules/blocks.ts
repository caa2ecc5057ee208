// Cuts a Markdown-like text into blocks the rules read differently: front matter, headings, fences, tables, list items
// and paragraphs. A plain scan of lines: it runs on whole documents and needs positions, not a syntax tree.

export type Block =
  | { kind: 'front'; line: number; text: string }
  | { kind: 'heading'; line: number; level: number; text: string }
  | { kind: 'fence'; line: number; language: string; text: string }
  | { kind: 'table'; line: number; rows: string[][] }
  | { kind: 'item'; line: number; text: string }
  | { kind: 'paragraph'; line: number; text: string };

const MAX_LINES = 50_000;

export function blocksOf(text: string, startLine: number): Block[] {
  const lines = text.split('\n', MAX_LINES).map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const blocks: Block[] = [];
  let at = 0;
  if (startLine === 1 && lines[0]?.trim() === '---') {
    const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
    if (end > 0 && end < 200) {
      blocks.push({ kind: 'front', line: 2, text: lines.slice(1, end).join('\n') });
      at = end + 1;
    }
  }
  while (at < lines.length) {
    const line = lines[at]!;
    const fence = /^\s{0,12}(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    if (fence) {
      const close = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence[1]!));
      const end = close === -1 ? lines.length : close;
      blocks.push({
        kind: 'fence',
        line: startLine + at + 1,
        language: fence[2]!.toLowerCase(),
        text: lines.slice(at + 1, end).join('\n'),
      });
      at = end + 1;
      continue;
    }
    at += readLine(lines, at, startLine, blocks);
  }
  return blocks;
}

function readLine(lines: readonly string[], at: number, startLine: number, blocks: Block[]): number {
  const line = lines[at]!;
  const number = startLine + at;
  if (line.trim() === '') return 1;
  const heading = /^\s{0,3}(#{1,6})\s+(.{1,300}?)\s*#*\s*$/.exec(line);
  if (heading) {
    blocks.push({ kind: 'heading', line: number, level: heading[1]!.length, text: heading[2]! });
    return 1;
  }
  if (
    /^(?:=+|-+)\s*$/.test(lines[at + 1] ?? '') &&
    line.length < 200 &&
    !/^\s*[-*|]/.test(line) &&
    (lines[at + 1] ?? '').trim().length > 2
  ) {
    blocks.push({
      kind: 'heading',
      line: number,
      level: (lines[at + 1] ?? '').startsWith('=') ? 1 : 2,
      text: line.trim(),
    });
    return 2;
  }
  if (line.trimStart().startsWith('|') && /^\s*\|?[\s:|-]+\|[\s:|-]*$/.test(lines[at + 1] ?? '')) {
    const rows: string[][] = [];
    let end = at;
    while (end < lines.length && lines[end]!.includes('|') && end - at < 2000)
      rows.push(cells(lines[end++]!));
    blocks.push({ kind: 'table', line: number, rows });
    return end - at;
  }
  const item = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
  let end = at + 1;
  while (end < lines.length && continues(lines[end]!)) end += 1;
  const body = lines.slice(at, end);
  if (item) blocks.push({ kind: 'item', line: number, text: [item[1]!, ...body.slice(1)].join('\n') });
  else blocks.push({ kind: 'paragraph', line: number, text: body.join('\n') });
  return end - at;
}

function continues(line: string): boolean {
  return line.trim() !== '' && !/^\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|`{3}|~{3}|\|)/.test(line);
}

function cells(line: string): string[] {
  return line
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}
